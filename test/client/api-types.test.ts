import { fileURLToPath } from 'node:url'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'

type Operation = { tags?: string[]; responses: Record<string, object> }
type Components = {
  responses: object
  schemas: { Error: { properties: { code: { 'x-extensible-enum': string[] } } } }
}
type Document = { paths: Record<string, Record<string, Operation>>; components: Components }

const app = await openApp()
const document = (await app.read('/api/openapi.json')).body as unknown as Document
await app.close()

/** Without refusals, which the client throws as a `CheckoutError`, and without the dashboard's operations, which need a person's session. */
function forServers({ paths, components, ...rest }: Document): Document {
  const kept = Object.entries(paths).flatMap(([path, item]) => {
    const operations = Object.entries(item).filter(([, { tags }]) => !tags?.includes('dashboard'))
    return operations.length === 0 ? [] : [[path, Object.fromEntries(operations.map(withoutRefusals))] as const]
  })
  return { ...rest, paths: Object.fromEntries(kept), components: { ...components, responses: {} } }
}

/** Whole answers as examples would be half of the file. */
const withoutExamples = (key: string, value: unknown) =>
  key === 'example' && typeof value === 'object' ? undefined : value

function withoutRefusals([method, operation]: [string, Operation]): [string, Operation] {
  const responses = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  return [method, { ...operation, responses: Object.fromEntries(responses) }]
}

test('the types of the client are those of the document that the service serves: else `npm run generate -w bff/clients/node`', async () => {
  const types = astToString(await openapiTS(JSON.stringify(forServers(document), withoutExamples)))
  const text = `// Made by \`npm run generate -w bff/clients/node\` from the service's OpenAPI document.\n${types}`
  const file = fileURLToPath(new URL('../../bff/clients/node/src/api.generated.ts', import.meta.url))
  await expect(text).toMatchFileSnapshot(file)
})

test('so are the codes of its errors', async () => {
  const codes = document.components.schemas.Error.properties.code['x-extensible-enum']
  const lines = codes.map((code) => `  | '${code}'\n`).join('')
  const text = `// Made by \`npm run generate -w bff/clients/node\` from the service's OpenAPI document.\n/** The codes of refusals that this version of the service knows. */\nexport type ErrorCode =\n${lines}`
  const file = fileURLToPath(new URL('../../bff/clients/node/src/error-codes.generated.ts', import.meta.url))
  await expect(text).toMatchFileSnapshot(file)
})
