import { Keypair } from '@solana/web3.js'
import type { SolanaNetwork } from '../../../core/families.ts'
import { bad, type Finding, found, good, nodePlace, warning } from '../../../core/finding.ts'
import type { FindingCode } from '../../../core/finding-codes.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import { verificationFault } from '../../network-fault.ts'
import { affordableAccounts, payoutReserve, tokenAccountRent } from '../payout/rent-shares.ts'
import { responses, type SolanaRpc } from './solana-rpc.ts'
import { verifyMints } from './verify-cluster.ts'

const diagnoseTimeoutMs = 30_000

/** A slot takes 0.4 s: a node whose head is this old has stopped. */
const headAgeSecondsMax = 60
const clockSecondsMax = 30

const lamportsPerSol = 1_000_000_000
/** Fees of one sweep: two signatures, and a priority fee on a busy day. */
const sweepLamports = 50_000
/** Rent of the two token accounts that a first payout creates. Below this, no payout can be sent. */
const rentLamports = 5_000_000
/** Unpaid deposits whose token accounts' rent is included: an hour's number at a busy shop. */
const unpaidAccounts = 100
/** Pays for about a thousand sweeps, and the rent of those accounts beyond the reserve. */
const enoughLamports =
  Math.max(rentLamports + 1_000 * sweepLamports, Number(payoutReserve)) + unpaidAccounts * Number(tokenAccountRent)

type Diagnosed = {
  network: SolanaNetwork
  rpc: SolanaRpc
  /** 64 bytes; null if not configured. */
  feePayerKey: Uint8Array | null
  nowMs: () => number
}

/** Checks a network's nodes, mints and head, and the fee payer's balance. Never throws. */
export function diagnoseCluster(diagnosed: Diagnosed): Promise<Finding[]> {
  return withTimeout(diagnoseTimeoutMs, [], (signal) => diagnose(diagnosed, signal))
}

async function diagnose({ network, rpc, feePayerKey, nowMs }: Diagnosed, signal: AbortSignal): Promise<Finding[]> {
  const { name, rpcUrls } = network
  const nodes = await Promise.all(
    rpc.nodes.map(async (ask, index) => {
      const subject = nodePlace(name, index, rpcUrls.length)
      const fault = await verificationFault(network, signal, () => verifyMints(network, ask))
      if (!fault) return good('rpc.good', subject, 'answers, on the right cluster, with the tokens as configured')
      if (fault.kind !== 'wrong') {
        const fix = 'Check the node’s URL, its status and its key, or replace the node in rpcUrls.'
        return bad(found('rpc.silent', fault.reason), subject, fault.reason, fix)
      }
      return bad(
        found('rpc.mismatch', fault.reason),
        subject,
        fault.reason,
        'Replace the node in rpcUrls, or correct the token’s address and decimals.',
      )
    }),
  )
  if (nodes.every(({ state }) => state === 'bad')) return nodes
  const unread = () =>
    bad(
      found('rpc.unread'),
      name,
      'could not be read',
      'Run doctor again. If this repeats, replace the node in rpcUrls.',
    )
  const head = rpc
    .onOneNode(async (ask) => {
      // Payments count once finalized, so the node must report finalized slots.
      await ask(responses.slot, 'getSlot', [{ commitment: 'finalized' }])
      const slot = await ask(responses.slot, 'getSlot', [{ commitment: 'confirmed' }])
      return { slot, timeSeconds: await ask(responses.blockTime, 'getBlockTime', [slot]) }
    }, signal)
    .then(({ slot, timeSeconds }) => headFinding(name, slot, timeSeconds, Math.floor(nowMs() / 1000)))
    .catch(unread)
  return [...nodes, await head, ...(feePayerKey ? [await gas(feePayerKey).catch(unread)] : [])]

  async function gas(key: Uint8Array): Promise<Finding> {
    const address = Keypair.fromSecretKey(key).publicKey.toBase58()
    const { value } = await rpc.ask(responses.lamports, 'getBalance', [address, { commitment: 'confirmed' }], signal)
    const sweeps = Math.max(0, Math.floor((value - rentLamports) / sweepLamports))
    const accounts = affordableAccounts(BigInt(value))
    const says = `the fee payer ${address} holds ${value / lamportsPerSol} SOL: about ${sweeps} sweeps beside the rent of accounts, and the rent of ${accounts} more deposits that nobody has paid yet`
    const fix = `Send ${enoughLamports / lamportsPerSol} SOL to ${address}: that buys about 1000 sweeps, and the rent of ${unpaidAccounts} unpaid deposits at once.`
    const what = (code: FindingCode) =>
      found(code, value / lamportsPerSol, 'SOL', sweeps, enoughLamports / lamportsPerSol, address)
    if (sweeps === 0) return bad(what('gas.empty'), name, says, `Deposits wait until there is gas. ${fix}`)
    if (accounts === 0) {
      const without = 'New deposits get no token account: exchanges and x402 cannot pay them.'
      return warning(what('gas.accounts'), name, says, `${without} ${fix}`)
    }
    return value < enoughLamports / 10 ? warning(what('gas.low'), name, says, fix) : good(what('gas.good'), name, says)
  }
}

function headFinding(name: string, slot: number, timeSeconds: number | null, nowSeconds: number): Finding {
  const age = timeSeconds === null ? 0 : nowSeconds - timeSeconds
  if (age > headAgeSecondsMax) {
    const says = `the newest block, in slot ${slot}, is ${age} s old: the node is stuck, or this clock is fast`
    return bad(
      found('head.old', slot, age),
      name,
      says,
      'Compare with the explorer. Then replace the node in rpcUrls, or synchronize the clock (NTP).',
    )
  }
  if (age < -clockSecondsMax) {
    return bad(
      found('clock.future', -age),
      name,
      `the newest block is ${-age} s in the future of this machine's clock`,
      'Synchronize the clock (NTP).',
    )
  }
  return good(found('head.good', Math.max(0, age)), name, `slot ${slot}, ${Math.max(0, age)} s old`)
}
