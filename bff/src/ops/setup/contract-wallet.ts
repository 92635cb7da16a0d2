import { createEvmPool } from '../../chain/evm/rpc/evm-pool.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import type { Network } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** How long to wait for a node's response. */
const askMs = 10_000

/** The code of an account that delegates to a contract (EIP-7702). Its key owns the account on every network. */
const delegationPrefix = '0xef0100'

const isContract = (code: unknown): boolean => code !== '0x' && !String(code).toLowerCase().startsWith(delegationPrefix)

/**
 * A smart wallet must exist on every network: money paid to its address on another network has no owner.
 * @param networks - The networks with contracts.
 * @param fetchFn - Asks a node of each network for the code at the address.
 * @throws {SetupRefusal} naming a network where the wallet exists and one where it does not, or one whose nodes do not respond.
 */
export async function verifyContractEverywhere(
  networks: readonly Network[],
  address: string,
  { runtime, fetchFn }: { runtime: Runtime; fetchFn: typeof fetch },
): Promise<void> {
  if (networks.length < 2) return
  const found = await Promise.all(
    networks.map(async (network) => {
      const pool = createEvmPool(network, { ...commandPoolDeps(runtime), fetchFn })
      try {
        const { answer } = await pool.ask('eth_getCode', [address, 'latest'], AbortSignal.timeout(askMs))
        return { name: network.name, isThere: isContract(answer) }
      } catch {
        throw new SetupRefusal('WALLET_NOT_READ', 'address', [network.name])
      }
    }),
  )
  const there = found.find(({ isThere }) => isThere)
  const absent = found.find(({ isThere }) => !isThere)
  if (there && absent) throw new SetupRefusal('WALLET_NOT_EVERYWHERE', 'address', [there.name, absent.name])
}
