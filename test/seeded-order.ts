import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Every run has the order of the first seed, unless `TEST_SEED` names another; a nightly run has a new one. */
const seed = process.env['TEST_SEED'] ?? (process.env['NIGHTLY'] === '1' ? String(Date.now()) : '1')

/**
 * The order of the files of tests: by a hash of the seed and the path, so that it is the same on every machine, and another file does
 * not change that of the others. Vitest's own order depends on how long each took in the run before.
 */
export class SeededOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    process.stdout.write(`Files run in the order of TEST_SEED=${seed}\n`)
    const keyed = files.map((file) => {
      const path = relative(this.ctx.config.root, file.moduleId).replaceAll('\\', '/')
      return { file, project: file.project.name, key: createHash('sha256').update(`${seed} ${path}`).digest('hex') }
    })
    return keyed.sort((a, b) => compare(a.project, b.project) || compare(a.key, b.key)).map(({ file }) => file)
  }
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
