import { relative } from 'node:path'
import { quoted } from './called-as.ts'
import type { Cli } from './cli.ts'
import type { Answers, Initialised } from './init.ts'

/** The steps to take after `init`, with the commands as they must be typed. */
export function nextSteps(
  { files, operator, feePayer, contractNetworks }: Initialised,
  { port, publicUrl }: Pick<Answers, 'port' | 'publicUrl'>,
  { env, folder, program }: Pick<Cli, 'env' | 'folder' | 'program'>,
): string[] {
  const { configuration } = files
  // Commands find the configuration in these two cases by themselves.
  const isFound = env()['BFF_CONFIG'] === configuration || relative(folder, configuration) === 'checkout.json'
  const option = isFound ? '' : ` --config ${quoted(configuration)}`
  const command = (words: string) => `${program.command} ${words}${option}`
  const url = publicUrl ?? `http://localhost:${port}`
  return [
    ...(operator === null
      ? []
      : [
          `Send some of the chain's coin to the operator, ${operator}, on ${contractNetworks.join(', ')}: it pays the gas.`,
        ]),
    ...(feePayer === null ? [] : [`Send some SOL to the fee payer, ${feePayer}: it pays the fees on Solana.`]),
    ...(operator === null
      ? []
      : contractNetworks.map(
          (network) => `${command(`deploy ${network} --as-operator`)}: deploys the contracts, if missing.`,
        )),
    program.start === null ? `${command('serve')}: starts the service.` : `${program.start}: starts the service.`,
    `${command('doctor')}: checks everything, and says how to fix each problem.`,
    `${command('dashboard invite')}: prints a link for your passkey. The dashboard is ${url}/dashboard.`,
  ]
}
