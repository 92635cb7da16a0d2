import type { FindingCode } from '@stablecoin-checkout/bff/finding-codes'
import type { FindingTextKey } from '../locales/finding-texts.ts'
import type { Cured } from './cure-button.ts'

type ProblemCode = Exclude<FindingCode, `${string}.good` | 'rates.parity'>

type Where = { subject: string; values: readonly string[] }

/** The fix of a finding: a sentence, and a button, link or copied command. */
export type Cure = {
  fix: Extract<FindingTextKey, `fix.${string}`>
  /** The page of the fix. */
  page?: 'wallets' | 'webhooks' | 'stores'
  /** The button's action. */
  button?: (where: Where) => Cured
  /** A command of the program, without its name. */
  command?: (where: Where) => string
  /** A shell command. */
  shell?: (where: Where) => string
  /** A text to copy, such as the address to send gas to. */
  copied?: (where: Where) => string
}

const gas: Cure = { fix: 'fix.gas', copied: ({ values }) => values[4] ?? '' }
const deploy: Cure = {
  fix: 'fix.deploy',
  button: ({ values }) => ({ network: values[1] ?? '', does: 'deploy' }),
  command: ({ values }) => `deploy ${values[1] ?? ''} --as-operator`,
}
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The fix of each finding that is not good. */
export const cures: Readonly<Record<ProblemCode, Cure>> = {
  'cors.headers': { fix: 'fix.cors' },
  'cors.origins': { fix: 'fix.cors' },
  'cors.preflight': { fix: 'fix.cors' },
  'cors.response': { fix: 'fix.cors' },
  'cors.secret': { fix: 'fix.cors' },
  'clock.ahead': { fix: 'fix.clock', shell: () => 'timedatectl set-ntp true' },
  'clock.behind': { fix: 'fix.clock', shell: () => 'timedatectl set-ntp true' },
  'clock.future': { fix: 'fix.clock', shell: () => 'timedatectl set-ntp true' },
  'configuration.missing': { fix: 'fix.folder' },
  'connections.few': { fix: 'fix.connections' },
  'database.beforeRelease': { fix: 'fix.newDatabase' },
  'database.missing': { fix: 'fix.databasePath' },
  'database.moved': { fix: 'fix.movedDatabase' },
  'database.networkDisk': { fix: 'fix.localDisk' },
  'database.unreadable': { fix: 'fix.restore' },
  'database.unusable': { fix: 'fix.postgres' },
  'durability.fsync': { fix: 'fix.fsync' },
  'durability.off': { fix: 'fix.localDisk' },
  'durability.standbys': { fix: 'fix.commit' },
  'factory.wrong': deploy,
  'files.open': { fix: 'fix.chmod', shell: ({ subject }) => `chmod 600 ${quoted(subject)}` },
  'gas.accounts': gas,
  'gas.empty': gas,
  'gas.low': gas,
  'head.old': { fix: 'fix.nodeOrClock' },
  'history.none': { fix: 'fix.archiveNode' },
  'integrity.damaged': { fix: 'fix.restore' },
  'lease.none': { fix: 'fix.lease' },
  'logs.few': { fix: 'fix.logsNode' },
  'logs.none': { fix: 'fix.node' },
  'mail.password': { fix: 'fix.mailPassword', command: () => 'secrets set SMTP_PASSWORD' },
  'mail.refused': { fix: 'fix.mail' },
  'network.removed': { fix: 'fix.network' },
  'operator.former': { fix: 'fix.formerKey' },
  'parts.relay': { fix: 'fix.part' },
  'parts.x402': { fix: 'fix.part' },
  'permit.wrong': { fix: 'fix.domain' },
  'permit2.wrong': { fix: 'fix.domain' },
  'platform shares.parked': {
    fix: 'fix.sharesWait',
    button: ({ subject }) => ({ network: subject, does: 'payShares' }),
  },
  'platform shares.removed': { fix: 'fix.network' },
  'proxy.untrusted': { fix: 'fix.proxies' },
  'public url.other': { fix: 'fix.forwardPort' },
  'public url.stranger': { fix: 'fix.forward' },
  'public url.unreachable': { fix: 'fix.reach' },
  'rates.incomplete': { fix: 'fix.ratesToken' },
  'rates.outdated': { fix: 'fix.ratesFixed' },
  'rates.unreachable': { fix: 'fix.ratesReach' },
  'replica.none': { fix: 'fix.start' },
  'replica.silent': { fix: 'fix.replica' },
  'replica.version': { fix: 'fix.upgrade' },
  'rights.schema': { fix: 'fix.grant' },
  'rights.table': { fix: 'fix.owner' },
  'rpc.failed': { fix: 'fix.node' },
  'rpc.mismatch': { fix: 'fix.nodeOrToken' },
  'rpc.silent': { fix: 'fix.node' },
  'rpc.unread': { fix: 'fix.again' },
  'rpc.wrong': { fix: 'fix.addNode' },
  'schema.beforeRelease': { fix: 'fix.newDatabase' },
  'schema.newer': { fix: 'fix.newerProgram' },
  'schema.none': { fix: 'fix.nothing' },
  'schema.older': { fix: 'fix.nothing' },
  'secrets.missing': { fix: 'fix.secret', command: ({ subject }) => `secrets set ${subject} --generate` },
  'service.other': { fix: 'fix.port' },
  'service.stopped': { fix: 'fix.start' },
  'service.stranger': { fix: 'fix.port' },
  'settings.highValue': { fix: 'fix.otherNode' },
  'settings.noNetwork': { fix: 'fix.addNetwork' },
  'settings.oneNode': { fix: 'fix.secondNode' },
  'settings.webhookTargets': { fix: 'fix.targets' },
  'space.low': { fix: 'fix.space' },
  'splitter.wrong': deploy,
  'tls.certificate': { fix: 'fix.certificate' },
  'tls.ending': { fix: 'fix.renewal' },
  'tls.plain': { fix: 'fix.https' },
  'tls.unset': { fix: 'fix.publicUrl' },
  'token.wrong': { fix: 'fix.token' },
  'tron.unproven': { fix: 'fix.nothing' },
  'unanswered blocks.found': { fix: 'fix.archiveNode' },
  'addresses.gap': { fix: 'fix.gap' },
  'addresses.none': { fix: 'fix.wallet', page: 'wallets' },
  'wallet.blocked': { fix: 'fix.wallet', page: 'wallets' },
  'wallet.unregistered': {
    fix: 'fix.register',
    command: ({ values: [wallet = '', network = ''] }) => `deploy ${network} --wallet ${wallet}`,
  },
  'store.disabled': { fix: 'fix.storeAgain', page: 'stores' },
  'store.failing': { fix: 'fix.storeLog', page: 'stores' },
  'store.refused': { fix: 'fix.storeLog', page: 'stores' },
  'store.silent': { fix: 'fix.storeFirewall', page: 'stores' },
  'webhook.disabled': { fix: 'fix.endpoint', page: 'webhooks' },
  'webhook.forged': { fix: 'fix.verify', page: 'webhooks' },
  'webhook.refused': { fix: 'fix.answer', page: 'webhooks' },
}

/** Undefined for a good finding, and for an unknown finding of a newer service. */
export const cureOf = (code: string): Cure | undefined =>
  Object.hasOwn(cures, code) ? cures[code as ProblemCode] : undefined
