import { depositsOf } from '../../chain/index.ts'
import { walletGap } from '../../chain/xpub-account.ts'
import type { Network, Networks } from '../../core/families.ts'
import { bad, type Finding, found, warning } from '../../core/finding.ts'
import type { Db } from '../../db/db.ts'
import { loadAccounts, loadWallets } from '../../merchant/account-store.ts'
import { longestUnpaidRun, namedSources } from '../../merchant/given-address-store.ts'

/** Merchants and wallets that are examined, oldest first. */
const examinedMax = 1_000

const kindOf = (network: Network): string | undefined => {
  const rules = depositsOf(network)
  return rules.isDirect ? rules.kind : undefined
}

const isSourceOn = (network: Network, source: string): boolean => {
  const rules = depositsOf(network)
  return rules.isDirect && rules.isSource(source)
}

/** Examines deposits at addresses of merchants' own wallets: what a wallet would not find, and what nobody can pay. */
export async function examineAddresses(db: Db, networks: Networks): Promise<Finding[]> {
  const direct = [...networks.values()].filter((network) => depositsOf(network).isDirect)
  if (direct.length === 0) return []
  return await db.read(async (tx) => {
    const findings: Finding[] = []
    for (const { id, name } of await loadAccounts(tx, examinedMax)) {
      const wallets = await loadWallets(tx, id)
      for (const at of direct) {
        const { shortName, name: networkName } = at
        const isUnusable = wallets.some(({ network, source }) => network === shortName && !isSourceOn(at, source ?? ''))
        if (!isUnusable) continue
        const says = 'is a plain wallet, and payments need an account of it: nothing can be paid there'
        const fix = `Run "wallets set" with the account's extended public key, @, and its first address.`
        findings.push(bad(found('addresses.none'), `${networkName}, ${name}`, says, fix))
      }
    }
    for (const { merchant, network, source } of await namedSources(tx, examinedMax)) {
      const at = direct.find(({ shortName }) => shortName === network)
      // Virtual addresses are credited to one wallet, so they have no gaps.
      const isSearched = at !== undefined && kindOf(at) === 'xpub' && isSourceOn(at, source)
      const run = isSearched ? await longestUnpaidRun(tx, source) : 0
      if (at === undefined || run <= walletGap) continue
      const says = `${run} addresses in a row have no money: a wallet that stops after ${walletGap} does not show what came later`
      const fix = `Raise the gap limit of the wallet above ${run}, or import the list of "wallets addresses".`
      findings.push(warning(found('addresses.gap', run, walletGap), `${at.name}, ${merchant}`, says, fix))
    }
    return findings
  })
}
