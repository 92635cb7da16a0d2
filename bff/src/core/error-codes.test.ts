import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { errorCodes } from './error-codes.ts'
import { PaymentError, ValidationError } from './errors.ts'

const src = fileURLToPath(new URL('..', import.meta.url))

describe('the codes of error responses', () => {
  test('docs/errors.md says of each what to do: `npm run generate` writes it', async () => {
    const rows = Object.entries(errorCodes).map(([code, { status, error, advice }]) => [
      status,
      code,
      error ?? '',
      advice,
    ])
    const page = `# Errors

Made from the service's codes by \`npm run generate\`. \`code\` is for programs, \`error\` the short reason (where the column is empty, the same
as \`message\`). The status is the usual one; the reference names it for each operation. New codes may be added.

| status | code | error | what to do |
|---:|---|---|---|
${rows.map(([status, code, error, advice]) => `| ${status} | \`${code}\` | ${error} | ${advice} |`).join('\n')}
`
    await expect(page).toMatchFileSnapshot('../../../docs/errors.md')
  })

  test('are all used', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'core/error-codes.ts')
      .map((file) => readFileSync(`${src}/${file}`, 'utf8'))
    const unused = Object.keys(errorCodes).filter((code) => !files.some((text) => text.includes(`'${code}'`)))
    expect(unused).toEqual([])
  })
})

test('a refusal has the status and the short reason of its code, unless the call has its own', () => {
  const missing = new PaymentError('PAYMENT_NOT_FOUND', 'There is no payment 1.')
  expect(missing).toMatchObject({ status: 404, error: 'Payment not found', message: 'There is no payment 1.' })
  const kept = new PaymentError('PAYMENT_NOT_FOUND', 'There is no payment 1.', { status: 500, error: 'Gone' })
  expect(kept).toMatchObject({ status: 500, error: 'Gone' })
  expect(new PaymentError('BODY_TOO_LARGE', 'The body is too large.')).toMatchObject({
    error: 'The body is too large.',
  })
  expect(new ValidationError('amount must be more than zero')).toMatchObject({
    code: 'VALIDATION_FAILED',
    status: 400,
    error: 'Validation failed',
  })
})
