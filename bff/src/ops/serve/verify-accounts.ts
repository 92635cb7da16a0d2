import type { Chain } from '../../chain/connector.ts'
import { faultText } from '../../core/fault-text.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { loadAccounts, loadWallets } from '../../merchant/account-store.ts'

/** Maximum merchants whose wallets are verified. Each new payment verifies its own wallet. */
const merchantsMax = 1_000

type Deps = { db: Db; chains: ReadonlyMap<string, Pick<Chain, 'walletPayments'>>; log: Log }

/**
 * Warns at the start of each merchant's wallet that its network does not confirm. The service starts anyway: the fault is one
 * merchant's, and new payments to that wallet are refused until it is fixed. Never rejects.
 */
export async function verifyAccounts({ db, chains, log }: Deps, signal: AbortSignal): Promise<void> {
  if (![...chains.values()].some(({ walletPayments }) => walletPayments.verifyAccount)) return
  try {
    const wallets = await db.read(async (tx) => {
      const all = []
      for (const { id } of await loadAccounts(tx, merchantsMax)) {
        for (const wallet of await loadWallets(tx, id)) all.push({ ...wallet, merchantId: id })
      }
      return all
    })
    for (const { merchantId, network, source, address } of wallets) {
      const verifyAccount = chains.get(network)?.walletPayments.verifyAccount
      if (verifyAccount === undefined || signal.aborted) continue
      await verifyAccount({ source: source ?? '', address }, signal).catch((error: unknown) => {
        const fields = { network, merchantId, wallet: address, fault: faultText(error) }
        if (!signal.aborted)
          log.error(fields, 'The chain does not confirm a merchant’s wallet: no deposits are created')
      })
    }
  } catch (error) {
    if (!signal.aborted) log.error({ fault: faultText(error) }, 'Verifying the merchants’ wallets failed')
  }
}
