import { Argument, Command } from '@commander-js/extra-typings'
import { newOperatorKey, operatorAddress } from '../../chain/evm/signer/operator.ts'
import { newSolanaKey, solanaKeyAddress } from '../../chain/solana/signer/secret-key.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import { sealableSecrets } from '../config/config.ts'
import { secretsPlace } from '../config/source.ts'
import { removeSecret, secretNames, writeSecret } from '../secrets/secrets-file.ts'
import { type Cli, jsonOption } from './cli.ts'
import { fieldLines, table } from './text.ts'
import { withVault } from './with-db.ts'

const description = `secrets at rest, sealed (AES-256-GCM) in the file that "secretsFile" of the configuration names

Each stands for the environment variable of its name, which wins where both are set. The key is SECRETS_KEY, the file
that SECRETS_KEY_FILE names, or the file <database>.key.`

/** Secrets that are keys of accounts, whose address may be seen and needs coins. */
const keyPairs: Readonly<
  Record<string, { generate(runtime: Runtime): string; addressOf(text: string): string | undefined }>
> = {
  OPERATOR_PRIVATE_KEY: { generate: newOperatorKey, addressOf: operatorAddress },
  SOLANA_FEE_PAYER_KEY: { generate: newSolanaKey, addressOf: solanaKeyAddress },
}

export function secretsCommand(cli: Cli) {
  const secrets = new Command('secrets').summary('secrets at rest').description(description)
  const nameArgument = () => new Argument('<name>', 'of the variable').choices(Object.keys(sealableSecrets.shape))

  function place() {
    const { secretsFile, ...found } = secretsPlace(cli.env())
    if (secretsFile === null) throw new ValidationError('the configuration names no secretsFile')
    return { ...found, secretsFile }
  }

  secrets
    .command('set')
    .description('seal a secret: it is asked for on a terminal, and read from the input elsewhere')
    .addArgument(nameArgument())
    .option('--generate', 'make a new OPERATOR_PRIVATE_KEY or SOLANA_FEE_PAYER_KEY, which nobody sees')
    .option('--replace', 'over one that is there')
    .option(...jsonOption)
    .action((name, options, command) => {
      const pair = keyPairs[name]
      if (options.generate && !pair) {
        command.error(`error: only ${Object.keys(keyPairs).join(' and ')} can be made by --generate`)
      }
      return cli.answer(options, async () => {
        const { secretsFile, key, database } = place()
        if (!options.replace && secretNames(secretsFile).includes(name)) {
          throw new ValidationError(`${name} is in ${secretsFile} already: --replace puts another one over it`)
        }
        const text = options.generate && pair ? pair.generate(cli.runtime) : await read(name)
        verify(name, text)
        // Makes the key beside the database, and finds out one that does not fit.
        await withVault({ database, secretsKey: key }, cli.runtime, async () => undefined)
        writeSecret(secretsFile, { key, database, runtime: cli.runtime }, name, text)
        const address = pair?.addressOf(text)
        const shown = { name, file: secretsFile, ...(address && { address }) }
        return { json: shown, text: fieldLines(shown) }
      })
    })

  secrets
    .command('list')
    .description('the names of what is sealed, never the values')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const { secretsFile } = place()
        const names = secretNames(secretsFile)
        const rows = names.map((name) => [name])
        return { json: { file: secretsFile, names }, text: table(['name'], rows) }
      }),
    )

  secrets
    .command('remove')
    .description('forget a secret')
    .addArgument(nameArgument())
    .option(...jsonOption)
    .action((name, options) =>
      cli.answer(options, async () => {
        const { secretsFile } = place()
        if (!removeSecret(secretsFile, name, cli.runtime)) {
          throw new ValidationError(`there is no ${name} in ${secretsFile}`)
        }
        return { json: { removed: name, file: secretsFile }, text: `${name} is no longer in ${secretsFile}.` }
      }),
    )

  const read = (name: string): Promise<string> =>
    cli.input.isTerminal ? cli.input.ask(`${name}: `, true) : cli.input.readAll()

  return secrets
}

function verify(name: string, text: string): void {
  const parsed = sealableSecrets.safeParse({ [name]: text })
  const [issue] = parsed.error?.issues ?? []
  if (issue) throw new ValidationError(`${name} ${issue.message}`)
  if (name === 'OPERATOR_PRIVATE_KEY' && operatorAddress(text) === undefined) {
    throw new ValidationError(`${name} must be on the curve`)
  }
}
