import { Command } from '@commander-js/extra-typings'
import { providerNames } from '../../rates/providers.ts'
import { type Cli, jsonOption } from './cli.ts'
import { initialise, initNetworks } from './init.ts'
import { verifyFolder } from './init-answers.ts'
import { nextSteps } from './init-next-steps.ts'
import { verifyOptions } from './init-options.ts'
import { askedFor } from './init-questions.ts'
import { fieldLines } from './text.ts'

const description = `create a configuration, a database, a merchant and sealed secrets in a folder

At a terminal, asks for missing options, and checks each answer when it is given. Overwrites nothing. Uses
OPERATOR_PRIVATE_KEY and, with Solana, SOLANA_FEE_PAYER_KEY from the environment to pay gas and fees;
generates them if unset. With nodes of two hosts, payments of 1000 dollars and more need both to agree (highValue).

Networks: ${initNetworks.join(', ')}`

const repeated = (text: string, others: readonly string[] = []): readonly string[] => [...others, text]

export function initCommand(cli: Cli) {
  return new Command('init')
    .summary('create everything a service needs')
    .description(description)
    .option('--folder <folder>', 'the folder; created if missing', '.')
    .option('--name <name>', 'name of the merchant, shown to customers')
    .option(
      '--network <network[=rpc-url]>',
      'a network to accept and its node (default: a public node); repeatable, also for a second node',
      repeated,
    )
    .option(
      '--deposits <network=kind>',
      'what customers pay to: "forwarder", an address of the service, which needs gas (default), or "xpub", an address of your own wallet; repeatable',
      repeated,
    )
    .option(
      '--wallet <network=address>',
      'wallet that receives payments on a network; with "xpub" the account’s extended public key, @, and its first address; repeatable',
      repeated,
    )
    .option(
      '--platform-wallet <[network=]address>',
      "wallet that receives the platform's share, on one or all EVM networks (default: the merchant's)",
      repeated,
    )
    .option('--fee-bps <bps>', "the platform's share, in basis points", '0')
    .option('--port <port>', 'port of the service (default: 8787)')
    .option('--public-url <url>', 'address for customers, such as https://pay.example')
    .option(
      '--trusted-proxy <address>',
      'address or network of a trusted proxy, such as 127.0.0.1 or 172.30.87.0/24; repeatable',
      repeated,
    )
    .option('--relay', 'let customers pay from other chains through Relay (relay.link)')
    .option(
      '--rates <provider>',
      `exchange rates, for prices in other currencies than dollars (choices: ${providerNames.map((name) => `"${name}"`).join(', ')})`,
    )
    .option('--offline', 'check no node, for a machine that reaches none yet')
    .option(...jsonOption)
    .action(async (options, command) => {
      if (cli.env()['DATABASE_URL']) {
        command.error(
          'error: DATABASE_URL is set, and init creates a database of SQLite, which the service would not read. Unset DATABASE_URL, create the service, then move it: move --to postgres://…',
        )
      }
      verifyFolder(options.folder)
      const { given, faults } = await verifyOptions(options, cli.input.isTerminal, cli.runtime)
      if (faults.length > 0) {
        const count = faults.length === 1 ? 'An option is' : `${faults.length} options are`
        command.error(`error: ${count} missing or wrong, and nothing was created:\n  ${faults.join('\n  ')}`)
      }
      await cli.answer(options, async () => {
        const answers = await askedFor(cli, given, options.offline === true)
        const done = await initialise({ ...answers, folder: options.folder }, cli.env(), cli.runtime)
        const steps = nextSteps(done, answers, cli)
        const lines = steps.map((step, index) => `${index + 1}. ${step}`)
        const { key, ...files } = done.files
        const text = `Created in this folder, readable by its owner only:
${fieldLines({ ...files, key: key ?? 'is the one in the environment' })}
Keep a copy of the key apart from copies of the database.

The merchant; its secrets are shown once:
${fieldLines(done.merchant)}

Next:
${lines.join('\n')}`
        return { json: { ...done, next: steps }, text }
      })
    })
}
