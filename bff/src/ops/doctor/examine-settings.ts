import type { Network } from '../../core/families.ts'
import type { Config } from '../config/config.ts'
import { type Finding, warning } from './finding.ts'

/** What is allowed, and unwise where money is real. */
export function examineSettings({ networks, webhookTargets }: Pick<Config, 'networks' | 'webhookTargets'>): Finding[] {
  const isLive = [...networks.values()].some(({ isTestnet }) => !isTestnet)
  return [
    ...(networks.size === 0
      ? [
          warning(
            'settings',
            'networks',
            'there is none: nothing can be paid',
            'Add one to the configuration, or run "init".',
          ),
        ]
      : []),
    ...(isLive && webhookTargets === 'any'
      ? [
          warning(
            'settings',
            'webhookTargets',
            '"any" lets webhooks reach this machine’s own network',
            'Leave it out where money is real.',
          ),
        ]
      : []),
    ...[...networks.values()].flatMap(examineNodeCount),
  ]
}

/** Nodes of one host are one node: they fail, and lie, together. */
function examineNodeCount({ name, isTestnet, rpcUrls, highValue }: Network): Finding[] {
  const hosts = new Set(rpcUrls.map((url) => new URL(url).host))
  if (isTestnet || hosts.size > 1) return []
  const fix = 'Add a node of another operator to its rpcUrls.'
  if (highValue !== null) {
    return [warning('settings', name, 'one node is believed for amounts of highValue: all are of one host', fix)]
  }
  const says = 'there is one node: while it is down nothing is seen, and what it invents is believed'
  return [warning('settings', name, says, `${fix} Set highValue, so that two must agree on large amounts.`)]
}
