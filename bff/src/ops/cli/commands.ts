import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { backupCommand, restoreCommand } from './backup.command.ts'
import type { Cli } from './cli.ts'
import { deployCommand } from './deploy.command.ts'
import { doctorCommand } from './doctor.command.ts'
import { exportCommand } from './export.command.ts'
import { initCommand } from './init.command.ts'
import { keysCommand } from './keys.command.ts'
import { merchantsCommand } from './merchants.command.ts'
import { networksCommand } from './networks.command.ts'
import { paymentsCommand } from './payments.command.ts'
import { readyCommand } from './ready.command.ts'
import { secretsCommand } from './secrets.command.ts'
import { serveCommand } from './serve.command.ts'
import { walletsCommand } from './wallets.command.ts'
import { webhooksCommand } from './webhooks.command.ts'

/** Every command, in the order of the help. A new one is a file beside this and a line here. */
export const commands: readonly ((cli: Cli) => CommandUnknownOpts)[] = [
  initCommand,
  serveCommand,
  readyCommand,
  doctorCommand,
  deployCommand,
  merchantsCommand,
  keysCommand,
  walletsCommand,
  networksCommand,
  paymentsCommand,
  webhooksCommand,
  secretsCommand,
  backupCommand,
  restoreCommand,
  exportCommand,
]
