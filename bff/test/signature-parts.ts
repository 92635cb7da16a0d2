import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createCallCosts, createEvmAuthorizer } from '../src/chain/evm/authorization/evm-authorizer.ts'
import { createSweeper } from '../src/chain/evm/payout/sweeper.ts'
import { createEvmPool } from '../src/chain/evm/rpc/evm-pool.ts'
import { createEvmSender } from '../src/chain/evm/send/evm-sender.ts'
import { createSigner } from '../src/chain/evm/signer/signer.ts'
import type { ObserveCall } from '../src/chain/rpc-pool.ts'
import type { EvmNetwork } from '../src/core/families.ts'
import { silentLog } from '../src/core/log.ts'
import type { Runtime } from '../src/core/runtime.ts'
import { createWakeSignal } from '../src/core/wake-signal.ts'
import type { Db } from '../src/db/db.ts'
import type { GasBalances } from '../src/network/gas-balances.ts'
import type { Ledger } from '../src/payment/ledger.ts'
import { minedBy, openAnvilClient } from './anvil-client.ts'

type Deps = {
  network: EvmNetwork
  db: Db
  ledger: Ledger
  runtime: Runtime
  operatorKey: Hex
  gasBalances: GasBalances
}

/** What checks authorizations and what sends them, as `evm-chain.ts` connects both. For tests. */
export function openSignatureParts({ network, db, ledger, runtime, operatorKey, gasBalances }: Deps) {
  const asked = { calls: 0, broadcastAtMs: 0 }
  const observe: ObserveCall = ({ method }) => {
    asked.calls += 1
    if (method === 'eth_sendRawTransaction') asked.broadcastAtMs = performance.now()
  }
  const pool = createEvmPool(network, { nowMs: runtime.nowMs, log: silentLog, observe })
  const operator = privateKeyToAccount(operatorKey).address
  const { signatureGas } = network
  const chain = openAnvilClient(network.rpcUrls[0] ?? '', network.chainId)
  const sender = minedBy(chain, createEvmSender(network, pool))
  const wakeSignal = createWakeSignal()
  return {
    /** How often a node was asked, and when it was last handed a transaction. */
    asked,
    authorizer:
      signatureGas &&
      createEvmAuthorizer({
        network: { ...network, signatureGas },
        pool,
        operator,
        nowMs: runtime.nowMs,
        wake: wakeSignal.wake,
      }),
    sender,
    /** As of a process that has just been started. */
    newSweeper: (changed: Partial<EvmNetwork> = {}, otherSender = sender) =>
      createSweeper(
        {
          db,
          ledger,
          network: { ...network, ...changed },
          runtime,
          log: silentLog,
          gasBalances,
          sender: otherSender,
          signer: createSigner(operatorKey),
          wakeSignal,
        },
        signatureGas ? createCallCosts({ pool, operator, network }) : undefined,
      ),
  }
}
