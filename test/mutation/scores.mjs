import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isEquivalent } from './equivalents.mjs'

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

\`npm run mutate\` changes the code one bit at a time and runs the area's unit tests. A change that no test notices survives. The aim is ${scoreMin} % of each file that decides about money, rights, leases,
budgets, sums or order; \`test/mutation/areas.mjs\` lists them.

- \`npm run mutate\`: all areas for four hours at most (\`-- --minutes 30\`); \`npm run mutate -- x402 links\`: some areas
- \`npm run mutate -- x402 --again\`: what survived the last run of an area
- \`npm run mutate -- --changed\`: the lines of your branch, in three minutes, as CI does; \`--changed=<commit>\` from a commit
- \`npm run mutate -- --write\`: writes the scores of whole areas into this page and \`test/mutation/scores.json\`

Calls of the log are not changed. \`test/mutation/equivalents.mjs\` lists survivors that no test can notice, with the reason; they do not count.

| area | file | noticed | of | score | day | commit |
|---|---|---:|---:|---:|---|---|
`

/** Writes the page: a row for each file that has a score, and the areas that have none. */
export function writeTable(root, areas, stored) {
  const rows = Object.entries(areas).flatMap(([area, { files }]) =>
    files
      .filter((file) => stored[file] !== undefined)
      .map((file) => {
        const { noticed, all, day, commit = '' } = stored[file]
        return `| ${area} | \`${file}\` | ${noticed} | ${all} | ${percent(noticed, all)} % | ${day} | ${commit} |`
      }),
  )
  const unscored = Object.keys(areas).filter((area) => areas[area].files.every((file) => stored[file] === undefined))
  writeFileSync(`${root}docs/mutation.md`, `${intro}${rows.join('\n')}\n\nNot yet: ${unscored.join(', ')}.\n`)
}
