import { randomInt } from 'node:crypto'
import { anvil, simulated } from '@stablecoin-checkout/rig/model/kinds'
import { lives, type Tally } from '@stablecoin-checkout/rig/model/life'
import { runLives } from '@stablecoin-checkout/rig/model/run-lives'
import { evmLives, solanaLives, wideEvmLives, wideSolanaLives } from '@stablecoin-checkout/rig/model/service-kinds'
import fc from 'fast-check'
import { soakReplicas } from './replicas.ts'

/** A round is one seed; a failure is shrunk within it. A life on a real chain takes about a second. */
const livesPerRound = { simulated: 200, anvil: 10 }
const livesPerSeed = { evm: 20, solana: 2 }
const minutesDefault = 10
const createsASecondDefault = 50

const usage =
  'Usage: npm run soak -- [anvil | model] [minutes] [seed]\n   or: npm run soak -- replicas [minutes] [creates a second]\n'
const refuse = () => {
  process.stderr.write(usage)
  process.exit(2)
}

const args = process.argv.slice(2)
if (args[0] === 'replicas') {
  const [minutes = minutesDefault, rate = createsASecondDefault] = args.slice(1).map(Number)
  if (!(minutes > 0) || !(rate > 0)) refuse()
  await soakReplicas(minutes, rate)
  process.exit(0)
}
if (args[0] === 'model') {
  const [minutes = minutesDefault, firstSeed = randomInt(2 ** 31)] = args.slice(1).map(Number)
  if (!(minutes > 0) || !Number.isInteger(firstSeed)) refuse()
  await soakModel(minutes, firstSeed)
  process.exit(0)
}
const chain = args[0] === 'anvil' ? 'anvil' : 'simulated'
const numbers = chain === 'anvil' ? args.slice(1) : args
const [minutes = minutesDefault, firstSeed = randomInt(2 ** 31)] = numbers.map(Number)
/** With even seeds the node that lies has one beside it that does not. */
const kindOf = (seed: number) => (chain === 'anvil' ? anvil(seed % 2 === 0 ? 2 : 1) : simulated)
if (!(minutes > 0) || !Number.isInteger(firstSeed)) refuse()

const tally: Tally = {}
const endMs = Date.now() + minutes * 60_000
const survived = () =>
  Object.entries(tally)
    .sort()
    .map(([what, times]) => `${what} ${times}`)
    .join(', ')

process.stdout.write(
  `Soaking for ${minutes} min on a chain that is ${chain === 'anvil' ? 'real' : 'simulated'}, from seed ${firstSeed}.\n`,
)
for (let seed = firstSeed; Date.now() < endMs; seed += 1) {
  try {
    await fc.assert(lives(tally, kindOf(seed)), { seed, numRuns: livesPerRound[chain] })
  } catch (error) {
    process.stdout.write(
      `Failed at seed ${seed}; again with: npm run soak -- ${chain === 'anvil' ? 'anvil ' : ''}1 ${seed}\n`,
    )
    const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.stack}` : ''
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`)
    process.exit(1)
  }
  process.stdout.write(`seed ${seed} survived; so far: ${survived()}\n`)
}
process.stdout.write('Nothing was lost, and nothing was counted twice.\n')

/** The whole service on both families, seed after seed. */
async function soakModel(minutes: number, firstSeed: number): Promise<void> {
  const endMs = Date.now() + minutes * 60_000
  for (let seed = firstSeed; Date.now() < endMs; seed += 1) {
    try {
      await runLives(evmLives, seed, livesPerSeed.evm)
      await runLives(solanaLives, seed, livesPerSeed.solana)
      await runLives(wideEvmLives, seed, livesPerSeed.evm)
      await runLives(wideSolanaLives, seed, livesPerSeed.solana)
    } catch (error) {
      process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exit(1)
    }
    process.stdout.write(`seed ${seed} survived\n`)
  }
}
