import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Percent, of each file. */
export const scoreMin = 90

export const percent = (part, whole) => ((100 * part) / Math.max(1, whole)).toFixed(1)

/** What was noticed of each file, by Stryker's report. Mutants without a verdict, such as those that do not compile, do not count. */
export function scoresOf(report, files) {
  return files.flatMap((file) => {
    const states = (report.files[file]?.mutants ?? []).map(({ status }) => status)
    const noticed = states.filter((status) => status === 'Killed' || status === 'Timeout').length
    const survived = states.filter((status) => status === 'Survived' || status === 'NoCoverage').length
    return noticed + survived === 0 ? [] : [{ file, noticed, all: noticed + survived }]
  })
}

/** The scores of whole areas, by file, as `docs/mutation.md` shows them: `{ noticed, all, day }`. */
export function createScores(root) {
  const path = `${root}test/mutation/scores.json`
  const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return {
    stored,
    keep(scores) {
      const day = new Date().toISOString().slice(0, 10)
      for (const { file, noticed, all } of scores) stored[file] = { noticed, all, day }
      const sorted = Object.fromEntries(Object.entries(stored).sort(([one], [other]) => (one < other ? -1 : 1)))
      writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`)
    },
  }
}

const intro = `# Mutation tests

\`npm run mutate\` changes the code one bit at a time and runs the area's unit tests. A change that no test notices survives. The aim is ${scoreMin} % of each file that decides about money, rights, leases,
budgets, sums or order; \`test/mutation/areas.mjs\` lists them.

- \`npm run mutate\`: all areas for four hours at most, unreached ones first the next time; \`-- --minutes 30\` for another time
- \`npm run mutate -- x402 links\`: some areas
- \`npm run mutate -- --changed\`: the lines that differ from where the branch began, in three minutes; \`--changed=<commit>\` from a commit

A run of whole areas writes its scores here and into \`test/mutation/scores.json\`: commit both.

| area | file | noticed | of | score | day |
|---|---|---:|---:|---:|---|
`

/** Writes the page: a row for each file that has a score, and how many have none. */
export function writeTable(root, areas, stored) {
  const files = Object.entries(areas).flatMap(([area, { files }]) => files.map((file) => ({ area, file })))
  const scored = files.filter(({ file }) => stored[file] !== undefined)
  const rows = scored.map(({ area, file }) => {
    const { noticed, all, day } = stored[file]
    return `| ${area} | \`${file}\` | ${noticed} | ${all} | ${percent(noticed, all)} % | ${day} |`
  })
  const unscored = `${files.length - scored.length} of ${files.length} files have no score yet.`
  writeFileSync(`${root}docs/mutation.md`, `${intro}${rows.join('\n')}\n\n${unscored}\n`)
}
