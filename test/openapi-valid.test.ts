import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { openStory } from './harness/story.ts'

const { bff } = await openStory('openapi-valid')
const source = JSON.stringify((await bff.ask('/api/openapi.json')).body)

const root = fileURLToPath(new URL('..', import.meta.url))

describe('the document is valid', () => {
  test('by the JSON schema of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(source) as Record<string, unknown>)
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  })

  test('by a linter, which also compares every example with its schema', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      // The contract's paths, such as /payments/{paymentId}/status beside /payments/status/{paymentId}.
      rules: {
        'no-ambiguous-paths': 'off',
        'no-invalid-schema-examples': 'error',
        'operation-operationId-url-safe': 'error',
      },
    })
    const problems = await lintFromString({ source, config, absoluteRef: `${root}openapi.json` })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })
})
