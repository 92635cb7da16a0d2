import type { Head } from '../chain/evm-sender.ts'
import { costMax } from '../chain/evm-transaction.ts'
import { encodeSettleMany } from '../chain/settle-call.ts'
import { broadcast } from './broadcast.ts'
import type { ReadySweep } from './claim.ts'
import type { SweepContext } from './context.ts'
import { warnEmpty } from './gas-tank.ts'
import { insertAttempt, linkPayment, nextNonce } from './outgoing-store.ts'
import { markSweepSent } from './sweep-store.ts'

/** EIP-7825 allows a transaction 16.7 million. */
const gasMax = 15_000_000n

/** The transaction itself and the batch's frame. */
const baseGas = 60_000n

/** Merchant and platform may hold none of the token yet, other than those of the deposit that was measured. */
const newBalancesGas = 2n * 17_100n

/** For a deposit that has failed before, or cannot be measured: ten times what one takes. What is not used is not paid. */
const generousGas = 600_000n

/** Something else took the nonce or a deposit between reading and storing: nothing was stored, and nothing is sent. */
export class TakenError extends Error {}

/**
 * Signs one transaction for as many of the deposits as gas and money allow, stores it, and only then broadcasts it.
 * @returns how many deposits are on their way.
 */
export async function sendSettlement(context: SweepContext, ready: readonly ReadySweep[], head: Head): Promise<number> {
  const { db, sender, signer, network, runtime, log, account } = context
  const [first] = ready
  if (!first || runtime.nowMs() < context.memory.emptyUntilMs) return 0
  const fees = await sender.fees(head)
  const balanceWei = await sender.balance(account)
  const { batch, gas } = await fit(context, ready, head, (total) => costMax({ gas: total, ...fees }) <= balanceWei)
  if (batch.length === 0) {
    warnEmpty(context, { neededWei: costMax({ gas, ...fees }), balanceWei })
    return 0
  }
  const stored = await db.read((tx) => nextNonce(tx, network.shortName, account))
  const nonce = Math.max(stored, await sender.nonce(account, 'pending'))
  const data = encodeSettleMany(batch.map(({ terms }) => terms))
  const signed = await signer.signTransaction({
    chainId: network.chainId,
    nonce,
    to: first.terms.factory,
    data,
    gas,
    ...fees,
  })
  const id = runtime.newUuid()
  const attempt = { ...signed, network: network.shortName, id, sender: account, nonce, atMs: runtime.nowMs() }
  try {
    await db.write(async (tx) => {
      if ((await nextNonce(tx, network.shortName, account)) > nonce) throw new TakenError()
      await insertAttempt(tx, attempt)
      for (const { paymentId } of batch) {
        if (!(await markSweepSent(tx, paymentId, id))) throw new TakenError()
        await linkPayment(tx, id, paymentId)
      }
    })
  } catch (error) {
    if (error instanceof TakenError) return 0
    throw error
  }
  log.info(
    { network: network.shortName, txId: signed.txId, nonce, deposits: batch.length },
    'Deposits are being settled',
  )
  await broadcast(context, signed)
  return batch.length
}

/** The longest start of `ready` whose gas fits a transaction, a block and the tank; `gas` of at least one deposit. */
async function fit(
  { sender }: SweepContext,
  ready: readonly ReadySweep[],
  head: Head,
  isAffordable: (gas: bigint) => boolean,
): Promise<{ batch: ReadySweep[]; gas: bigint }> {
  const blockMax = head.gasLimit / 2n
  const limit = blockMax < gasMax ? blockMax : gasMax
  const measured = new Map<string, bigint>()
  const batch: ReadySweep[] = []
  let gas = baseGas
  for (const sweep of ready) {
    const { token } = sweep.terms
    // A batch cannot be measured: it goes through with too little gas, too, and skips what was left without.
    // One that cannot be measured alone gets plenty, so that it does not keep the others waiting.
    const single = measured.get(token) ?? (await sender.settleGas(sweep.terms).catch(() => generousGas))
    measured.set(token, single)
    const item = sweep.failures > 0 ? larger(generousGas, single) : ((single + newBalancesGas) * 6n) / 5n
    const total = gas + item
    if (batch.length > 0 && total > limit) break
    if (!isAffordable(total)) return { batch, gas: batch.length > 0 ? gas : total }
    batch.push(sweep)
    gas = total
  }
  return { batch, gas }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
