import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { equivalents, isEquivalent } from './equivalents.mjs'

/** Percent, of each file. */
export const scoreMin = 90

export const percent = (part, whole) => ((100 * part) / Math.max(1, whole)).toFixed(1)

/** @param status - Stryker's verdict. @returns undefined when there is none, such as of a change that does not compile. */
export function isNoticed(status) {
  if (status === 'Killed' || status === 'Timeout') return true
  return status === 'Survived' || status === 'NoCoverage' ? false : undefined
}

/** @param verdicts - As `plugin.mjs` writes them. @returns how many changes of each file were noticed. */
export function scoresOf(root, verdicts) {
  const scores = new Map()
  for (const verdict of verdicts) {
    const { file: path, status } = verdict
    const isOne = isNoticed(status)
    if (isOne === undefined || (!isOne && isEquivalent(root, verdict))) continue
    const file = path.replace(root, '')
    const { noticed, all } = scores.get(file) ?? { noticed: 0, all: 0 }
    scores.set(file, { noticed: noticed + (isOne ? 1 : 0), all: all + 1 })
  }
  return [...scores].map(([file, score]) => ({ file, ...score })).sort((one, other) => (one.file < other.file ? -1 : 1))
}

/** The scores of whole areas, by file, as `docs/mutation.md` shows them: `{ noticed, all, day, commit }`. */
export function createScores(root) {
  const path = `${root}test/mutation/scores.json`
  const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return {
    stored,
    keep(scores, commit) {
      const day = new Date().toISOString().slice(0, 10)
      for (const { file, noticed, all } of scores) stored[file] = { noticed, all, day, commit }
      const sorted = Object.fromEntries(Object.entries(stored).sort(([one], [other]) => (one < other ? -1 : 1)))
      writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`)
    },
  }
}

const intro = `# Mutation tests

\`npm run mutate\` changes the code a bit at a time and runs the area's unit tests on each change. A change that no test notices has
survived. Calls of the log are left as they are. The aim is ${scoreMin} % of each file that decides about money, rights, leases, budgets, sums or order (\`test/mutation/areas.mjs\`).

- \`npm run mutate\`: all areas, one after the other, for four hours at most; \`-- --minutes 30\` for another time. Areas that were not reached are named, and come first the next time.
- \`npm run mutate -- x402 links\`: some areas.
- \`npm run mutate -- --changed\`: the lines of these files that differ from where the branch began, in three minutes at most; \`--changed=<commit>\` from another commit. CI does so for each pull request.
- \`--workers 2\`: two changes at a time.
- \`--write\`: writes the scores of areas that were run whole into this page and \`test/mutation/scores.json\`; commit both. The nightly run keeps both as an artifact.

\`npm run faults\` plants whole mistakes in place of single changes, each with the test that must notice it (\`test/faults/\`).

## Scores

| area | file | noticed | of | score | day | commit |
|---|---|---:|---:|---:|---|---|
`

const outro = `## Changes that make no difference

Survivors that were read, and that no test can notice (\`test/mutation/equivalents.mjs\`). They do not count above.
`

/** @returns the changes that no test can notice, a line each. */
const unnoticeable = () =>
  equivalents
    .map(
      ({ file, at, changes, reason }) =>
        `- \`${file}\`, \`${at}\`: ${changes.map((one) => `\`${one}\``).join(', ')}: ${reason}`,
    )
    .join('\n')

/** Writes the table that a reader finds. */
export function writeTable(root, areas, stored) {
  const rows = Object.entries(areas).flatMap(([area, { files }]) =>
    files.map((file) => {
      const { noticed, all, day, commit } = stored[file] ?? {}
      const score =
        all === undefined ? ['', '', 'not yet', '', ''] : [noticed, all, `${percent(noticed, all)} %`, day, commit]
      return `| ${area} | \`${file}\` | ${score.join(' | ')} |`
    }),
  )
  writeFileSync(`${root}docs/mutation.md`, `${intro}${rows.join('\n')}\n\n${outro}\n${unnoticeable()}\n`)
}
