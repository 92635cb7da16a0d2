import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { backupCommand, restoreCommand } from './backup.command.ts'
import type { Cli } from './cli.ts'
import { dashboardCommand } from './dashboard.command.ts'
import { deployCommand } from './deploy.command.ts'
import { doctorCommand } from './doctor.command.ts'
import { exportCommand } from './export.command.ts'
import { initCommand } from './init.command.ts'
import { keysCommand } from './keys.command.ts'
import { mcpCommand } from './mcp.command.ts'
import { merchantsCommand } from './merchants.command.ts'
import { moveCommand } from './move.command.ts'
import { networksCommand } from './networks.command.ts'
import { paymentsCommand } from './payments.command.ts'
import { readyCommand } from './ready.command.ts'
import { reconcileCommand } from './reconcile.command.ts'
import { secretsCommand } from './secrets.command.ts'
import { serveCommand } from './serve.command.ts'
import { walletsCommand } from './wallets.command.ts'
import { webhooksCommand } from './webhooks.command.ts'

/** Every command, in the order of the help. */
export const commands: readonly ((cli: Cli) => CommandUnknownOpts)[] = [
  initCommand,
  serveCommand,
  readyCommand,
  doctorCommand,
  deployCommand,
  merchantsCommand,
  dashboardCommand,
  keysCommand,
  walletsCommand,
  networksCommand,
  paymentsCommand,
  webhooksCommand,
  mcpCommand,
  secretsCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
  exportCommand,
  reconcileCommand,
]
