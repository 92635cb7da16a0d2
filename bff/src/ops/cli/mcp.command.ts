import { Command } from '@commander-js/extra-typings'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ConfigError } from '../config/source.ts'
import type { Cli } from './cli.ts'
import { passMessages } from './pass-messages.ts'
import { ownUrl } from './ready.command.ts'

/** For clients that start a program and communicate over its standard streams, as desktop clients do. */
export function mcpCommand(cli: Cli) {
  return new Command('mcp')
    .description(
      'give an agent the tools of a running service, over standard input and output (Model Context Protocol); CHECKOUT_API_KEY and CHECKOUT_API_SECRET in the environment select the merchant',
    )
    .option('--url <url>', 'URL of the service (default: CHECKOUT_URL, else from the configuration)')
    .action(async (options) => {
      const env = cli.env()
      const url = options.url ?? env['CHECKOUT_URL'] ?? ownUrl(cli.config('none'))
      const headers = {
        'X-API-Key': required(env, 'CHECKOUT_API_KEY'),
        'X-API-Secret': required(env, 'CHECKOUT_API_SECRET'),
      }
      const service = new StreamableHTTPClientTransport(addressOf(url), { requestInit: { headers } })
      const client = new StdioServerTransport()
      // The SDK's transport does not detect the end of its input.
      process.stdin.once('end', () => void client.close())
      await passMessages(client, service)
    })
}

function required(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = env[name]
  if (value) return value
  throw new ConfigError([`${name} is not set: the tools need a merchant's API key and secret`])
}

function addressOf(url: string): URL {
  if (!URL.canParse(url))
    throw new ConfigError([`"${url}" is not the URL of a service, such as https://pay.example.com`])
  return new URL('/mcp', url)
}
