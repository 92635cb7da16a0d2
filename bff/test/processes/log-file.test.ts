import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { logTail } from './log-file.ts'

test('the end of a log is shown as sentences, whatever its lines are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'))
  try {
    const path = join(folder, 'bff.log')
    writeFileSync(
      path,
      [
        '{"level":30,"time":1,"msg":"listening"}',
        '{"level":60,"err":{"type":"Error","message":"address in use"},"msg":"the service cannot start"}',
        '    at main.js:3',
        '{"half',
      ].join('\n'),
    )
    expect(logTail(path)).toBe('  listening\n  the service cannot start: address in use\n      at main.js:3\n  {"half')
    expect(logTail(join(folder, 'none.log'))).toBe('  (no output)')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
