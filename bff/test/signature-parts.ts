import type { ObserveCall } from '@stablecoin-checkout/bff/testing/chain'
import { createWakeSignal, type EvmNetwork, type Runtime, silentLog } from '@stablecoin-checkout/bff/testing/core'
import type { Db } from '@stablecoin-checkout/bff/testing/db'
import {
  createCallCosts,
  createEvmAuthorizer,
  createEvmPool,
  createEvmSender,
  createSigner,
  createSweeper,
} from '@stablecoin-checkout/bff/testing/evm'
import type { GasBalances } from '@stablecoin-checkout/bff/testing/network'
import type { Ledger } from '@stablecoin-checkout/bff/testing/payment'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
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
