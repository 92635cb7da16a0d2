import { createEvmPool } from '../../chain/evm/rpc/evm-pool.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import type { Network } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** A node that does not respond in this time is not waited for. */
const askMs = 10_000

/** An account of a key that runs a contract's code (EIP-7702): the key owns it on every network. */
const delegationPrefix = '0xef0100'

const isContract = (code: unknown): boolean => code !== '0x' && !String(code).toLowerCase().startsWith(delegationPrefix)

/**
 * A smart wallet must exist on every network: money that is paid to its address on another one has no owner.
 * @param networks - With contracts.
 * @param fetchFn - Asks a node of each network for the code at the address.
 * @throws {SetupRefusal} naming a network where it exists and one where it does not, or whose nodes did not respond.
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
