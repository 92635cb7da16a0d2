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

/** The checker and the sender of authorizations, connected as in `evm-chain.ts`. For tests. */
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
    /** How often nodes were called, and when one last received a transaction. */
    asked,
    authorizer: createEvmAuthorizer({ network, pool, operator, nowMs: runtime.nowMs, wake: wakeSignal.wake }),
    sender,
    /** A sweeper as in a newly started process. */
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
