import { Argument, Command } from '@commander-js/extra-typings'
import { chainFamilies } from '../../chain/index.ts'
import { ValidationError } from '../../core/errors.ts'
import { sealableSecrets } from '../config/settings.ts'
import { secretsPaths, secretsPlace } from '../config/source.ts'
import { removeSecret, secretNames, writeSecret } from '../secrets/secrets-file.ts'
import { type Cli, jsonOption } from './cli.ts'
import { fieldLines, table } from './text.ts'
import { withVault } from './with-db.ts'

const description = `secrets, sealed (AES-256-GCM) in the file that "secretsFile" of the configuration names

A secret takes the place of the environment variable of the same name; the variable wins if both are set. The key is
SECRETS_KEY, the file that SECRETS_KEY_FILE names, or the file <database>.key.`

/** Secrets that are private keys; their address is printed, because it needs coins. */
const payerKeys = new Map(
  Object.values(chainFamilies).flatMap(({ payerKey }) => (payerKey ? [[payerKey.variable as string, payerKey]] : [])),
)

export function secretsCommand(cli: Cli) {
  const secrets = new Command('secrets').summary('sealed secrets').description(description)
  const nameArgument = () => new Argument('<name>', 'name of the variable').choices(Object.keys(sealableSecrets.shape))

  function fileOf({ secretsFile }: { secretsFile: string | null }): string {
    if (secretsFile === null) throw new ValidationError('the configuration has no secretsFile')
    return secretsFile
  }

  secrets
    .command('set')
    .description('seal a secret, typed at a terminal or piped in')
    .addArgument(nameArgument())
    .option('--generate', 'generate an OPERATOR_PRIVATE_KEY or SOLANA_FEE_PAYER_KEY, which is never printed')
    .option('--replace', 'replace an existing secret')
    .option(...jsonOption)
    .action((name, options, command) => {
      const payerKey = payerKeys.get(name)
      if (options.generate && !payerKey) {
        command.error(`error: --generate supports only ${[...payerKeys.keys()].join(' and ')}`)
      }
      return cli.answer(options, async () => {
        const { key, database, ...place } = secretsPlace(cli.env())
        const secretsFile = fileOf(place)
        if (!options.replace && secretNames(secretsFile).includes(name)) {
          throw new ValidationError(`${name} is already in ${secretsFile}: use --replace to replace it`)
        }
        const text = options.generate && payerKey ? payerKey.create(cli.runtime) : await read(name)
        const [issue] = sealableSecrets.safeParse({ [name]: text }).error?.issues ?? []
        if (issue) throw new ValidationError(`${name} ${issue.message}`)
        const address = payerKey?.addressOf(text)
        if (payerKey && address === undefined) throw new ValidationError(`${name} must be ${payerKey.format}`)
        // Creates the key beside the database, or checks that the existing one opens it.
        await withVault({ database, secretsKey: key }, cli.runtime, async () => undefined)
        writeSecret(secretsFile, { key, database, runtime: cli.runtime }, name, text)
        const shown = { name, file: secretsFile, ...(address && { address }) }
        return { json: shown, text: fieldLines(shown) }
      })
    })

  secrets
    .command('list')
    .description('list the names of sealed secrets, never the values')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const secretsFile = fileOf(secretsPaths(cli.env()))
        const names = secretNames(secretsFile)
        const rows = names.map((name) => [name])
        return { json: { file: secretsFile, names }, text: table(['name'], rows) }
      }),
    )

  secrets
    .command('remove')
    .description('remove a secret')
    .addArgument(nameArgument())
    .option(...jsonOption)
    .action((name, options) =>
      cli.answer(options, async () => {
        const secretsFile = fileOf(secretsPaths(cli.env()))
        if (!removeSecret(secretsFile, name, cli.runtime)) {
          throw new ValidationError(`there is no ${name} in ${secretsFile}`)
        }
        return { json: { removed: name, file: secretsFile }, text: `${name} was removed from ${secretsFile}.` }
      }),
    )

  const read = (name: string): Promise<string> =>
    cli.input.isTerminal ? cli.input.ask(`${name}: `, true) : cli.input.readAll()

  return secrets
}
