import { spawnSync } from 'node:child_process'

const git = (root, ...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

/** The commit that a branch began at; without a main branch, the commit before. */
function defaultBase(root) {
  for (const branch of ['origin/main', 'main']) {
    const { status, stdout } = git(root, 'merge-base', 'HEAD', branch)
    const base = stdout.trim()
    if (status === 0 && base !== git(root, 'rev-parse', 'HEAD').stdout.trim()) return base
  }
  return 'HEAD~1'
}

/** The commit that is checked out, with `-dirty` where the service's source or tests differ from it. */
export function commitOf(root) {
  const isClean = git(root, 'diff', '--quiet', 'HEAD', '--', 'bff').status === 0
  return git(root, 'rev-parse', '--short=7', 'HEAD').stdout.trim() + (isClean ? '' : '-dirty')
}

/**
 * The lines of the working tree that a change has touched since `base`; a file that git does not know yet as a whole.
 * @param files - The files to ask about, as paths from the root.
 * @param base - A commit; absent: where the branch began.
 * @returns `{ file, from, to }`, both lines included, or `{ file }`.
 * @throws {Error} when git does not know the commit.
 */
export function changedRanges(root, files, base = defaultBase(root)) {
  const { status, stdout, stderr } = git(root, 'diff', '--unified=0', '--no-color', base, '--', ...files)
  if (status !== 0) throw new Error(stderr.trim())
  const unknown = git(root, 'ls-files', '--others', '--exclude-standard', '--', ...files).stdout.split('\n')
  const ranges = unknown.filter((file) => file !== '').map((file) => ({ file }))
  let file
  for (const line of stdout.split('\n')) {
    file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? file
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (from === undefined || file === undefined || count === '0') continue
    ranges.push({ file, from: Number(from), to: Number(from) + Number(count) - 1 })
  }
  return ranges
}
