import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { lives, type Tally } from '../../bff/src/chain/model/life.ts'

/** A round is one seed; a failure is shrunk within it. */
const livesPerRound = 200
const minutesDefault = 10

const [minutes = minutesDefault, firstSeed = randomInt(2 ** 31)] = process.argv.slice(2).map(Number)
if (!(minutes > 0) || !Number.isInteger(firstSeed)) {
  process.stderr.write('Usage: npm run soak -- [minutes] [seed]\n')
  process.exit(2)
}

const tally: Tally = {}
const endMs = Date.now() + minutes * 60_000
const survived = () =>
  Object.entries(tally)
    .sort()
    .map(([what, times]) => `${what} ${times}`)
    .join(', ')

process.stdout.write(`Soaking for ${minutes} min from seed ${firstSeed}.\n`)
for (let seed = firstSeed; Date.now() < endMs; seed += 1) {
  try {
    await fc.assert(lives(tally), { seed, numRuns: livesPerRound })
  } catch (error) {
    process.stdout.write(`Failed at seed ${seed}; again with: npm run soak -- 1 ${seed}\n`)
    const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.stack}` : ''
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`)
    process.exit(1)
  }
  process.stdout.write(`seed ${seed} survived; so far: ${survived()}\n`)
}
process.stdout.write('Nothing was lost, and nothing was counted twice.\n')
