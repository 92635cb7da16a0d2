import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Cli } from './cli.ts'

type MakeCommand = (cli: Cli) => CommandUnknownOpts

/** Every command by name, in the order of the help. A running service loads the code of no other command. */
const commands: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  init: async () => (await import('./init.command.ts')).initCommand,
  serve: async () => (await import('./serve.command.ts')).serveCommand,
  ready: async () => (await import('./ready.command.ts')).readyCommand,
  doctor: async () => (await import('./doctor.command.ts')).doctorCommand,
  deploy: async () => (await import('./deploy.command.ts')).deployCommand,
  merchants: async () => (await import('./merchants.command.ts')).merchantsCommand,
  dashboard: async () => (await import('./dashboard.command.ts')).dashboardCommand,
  keys: async () => (await import('./keys.command.ts')).keysCommand,
  wallets: async () => (await import('./wallets.command.ts')).walletsCommand,
  networks: async () => (await import('./networks.command.ts')).networksCommand,
  payments: async () => (await import('./payments.command.ts')).paymentsCommand,
  webhooks: async () => (await import('./webhooks.command.ts')).webhooksCommand,
  mcp: async () => (await import('./mcp.command.ts')).mcpCommand,
  secrets: async () => (await import('./secrets.command.ts')).secretsCommand,
  backup: async () => (await import('./backup.command.ts')).backupCommand,
  restore: async () => (await import('./backup.command.ts')).restoreCommand,
  move: async () => (await import('./move.command.ts')).moveCommand,
  export: async () => (await import('./export.command.ts')).exportCommand,
  reconcile: async () => (await import('./reconcile.command.ts')).reconcileCommand,
}

/** The commands named on a command line; all of them when none is, for the help and its suggestions. */
export async function loadCommands(words: readonly string[]): Promise<MakeCommand[]> {
  const all = Object.entries(commands)
  const named = all.filter(([name]) => words.includes(name))
  return await Promise.all((named.length > 0 ? named : all).map(([, load]) => load()))
}
