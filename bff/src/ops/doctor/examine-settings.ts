import type { Network } from '../../core/families.ts'
import { bad, type Finding, found, good, warning } from '../../core/finding.ts'
import type { Db } from '../../db/db.ts'
import { type PartSettings, partNames, partsOn } from '../../parts.ts'
import type { Config } from '../config/config.ts'
import { isKeyNeeded } from '../config/network-faults.ts'
import { findUnfinished } from '../serve/parts-off.ts'

/** Settings that are allowed, but unwise with real money. */
export function examineSettings({ networks, webhookTargets }: Pick<Config, 'networks' | 'webhookTargets'>): Finding[] {
  const all = [...networks.values()]
  const findings = all.flatMap(examineNodeCount)
  if (all.length === 0) {
    const fix = 'Add one to the configuration, or run "init".'
    findings.push(warning('settings.noNetwork', 'networks', 'is missing: no payment can be created', fix))
  }
  if (webhookTargets === 'any' && all.some(({ isTestnet }) => !isTestnet)) {
    const says = '"any" allows webhooks to reach this machine’s own network'
    findings.push(warning('settings.webhookTargets', 'webhookTargets', says, 'Remove it for mainnets.'))
  }
  return findings
}

/** Which parts are on. */
export function examineParts(settings: PartSettings): Finding {
  const on = partsOn(settings)
  const off = partNames.filter((name) => !on.includes(name))
  return good('settings.good', 'parts', `on: ${on.join(', ') || 'none'}; off: ${off.join(', ') || 'none'}`)
}

/** Unfinished work of the parts that are off. */
export async function examinePartsOff(db: Db, settings: PartSettings): Promise<Finding[]> {
  const unfinished = await findUnfinished(db, partsOn(settings))
  const fix = 'Switch it on until they are done.'
  return unfinished.map(({ code, part, count, says }) => warning(found(code, count), part, says, fix))
}

/** Nodes on one host count as one, because they fail and err together. */
function examineNodeCount({ name, isTestnet, rpcUrls, highValue }: Network): Finding[] {
  const hosts = new Set(rpcUrls.map((url) => new URL(url).host))
  if (isTestnet || hosts.size > 1) return []
  const fix = 'Add a node of another operator to rpcUrls.'
  if (highValue !== null) {
    return [
      warning(
        'settings.highValue',
        name,
        'a single node is trusted also for highValue: all nodes are of one host',
        fix,
      ),
    ]
  }
  const says =
    'there is only one node: while it is down no payment is detected, and a transfer that it invents is trusted'
  return [
    warning('settings.oneNode', name, says, `${fix} Set highValue, so that two nodes must agree on large amounts.`),
  ]
}

/** Which configuration file the findings are about. */
export function examineConfiguration(path: string | undefined, folder: string): Finding {
  if (path !== undefined) return good('configuration.good', path, 'was read')
  const fix = 'Run doctor in the folder of checkout.json, or name the file by --config or BFF_CONFIG.'
  return warning('configuration.missing', folder, 'has no checkout.json: the default settings were checked', fix)
}

/** Keys without which the service does not start. */
export function examineKeys({
  networks,
  operator,
  solanaFeePayerKey,
}: Pick<Config, 'networks' | 'operator' | 'solanaFeePayerKey'>): Finding[] {
  const isThere = { OPERATOR_PRIVATE_KEY: operator !== null, SOLANA_FEE_PAYER_KEY: solanaFeePayerKey !== null }
  const all = [...networks.values()]
  return (['OPERATOR_PRIVATE_KEY', 'SOLANA_FEE_PAYER_KEY'] as const)
    .filter((variable) => isKeyNeeded(all, variable) && !isThere[variable])
    .map((variable) => {
      const says = 'is neither in the environment nor in secretsFile: the service does not start'
      return bad(
        'secrets.missing',
        variable,
        says,
        `Set it, or run "secrets set ${variable} --generate" for a new account.`,
      )
    })
}
