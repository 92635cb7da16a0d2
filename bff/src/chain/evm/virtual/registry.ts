import { decodeFunctionResult, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import type { Network } from '../../../core/families.ts'
import { NetworkMismatchError } from '../../network-fault.ts'
import type { EvmPool } from '../rpc/evm-pool.ts'
import { isMasterId } from './virtual-address.ts'

/** The registry of TIP-1022, part of Tempo's node since its hardfork T3. */
const registryAddress = '0xfdc0000000000000000000000000000000000000'

const registryAbi = parseAbi([
  'function registerVirtualMaster(bytes32 salt) returns (bytes4 masterId)',
  'function getMaster(bytes4 masterId) view returns (address)',
])

const zeroAddress = `0x${'0'.repeat(40)}`

/** The call with which a wallet registers itself. It cannot be undone. */
export const registerCall = (salt: Hex): { to: Hex; data: Hex } => ({
  to: registryAddress,
  data: encodeFunctionData({ abi: registryAbi, functionName: 'registerVirtualMaster', args: [salt] }),
})

/**
 * The wallet that the chain credits for an id; null if none is registered.
 * @throws {NetworkMismatchError} when the chain has no registry; or the node's error.
 */
export async function readMaster(
  pool: Pick<EvmPool, 'ask'>,
  { name }: Pick<Network, 'name'>,
  masterId: Hex,
  signal: AbortSignal,
): Promise<Hex | null> {
  const data = encodeFunctionData({ abi: registryAbi, functionName: 'getMaster', args: [masterId] })
  const { answer } = await pool.ask<Hex>('eth_call', [{ to: registryAddress, data }, 'latest'], signal)
  // An address without code returns nothing, and a transfer to a virtual address would stay there forever.
  if (answer.length !== 66) {
    throw new NetworkMismatchError(
      `${name} has no registry of virtual addresses (${registryAddress}): money would be lost.`,
    )
  }
  const master = decodeFunctionResult({ abi: registryAbi, functionName: 'getMaster', data: answer })
  return master === zeroAddress ? null : getAddress(master)
}

/**
 * Verifies that money for the id arrives at the wallet.
 * @throws {NetworkMismatchError} with the reason; or the node's error.
 */
export async function verifyMaster(
  pool: Pick<EvmPool, 'ask'>,
  network: Pick<Network, 'name' | 'shortName'>,
  { source, address }: { source: string; address: string },
  signal: AbortSignal,
): Promise<void> {
  // The network had another kind of deposit address when the wallet was set.
  if (!isMasterId(source)) {
    throw new NetworkMismatchError(`The wallet ${address} has no id of virtual addresses on ${network.name}.`)
  }
  const master = await readMaster(pool, network, source as Hex, signal)
  if (master?.toLowerCase() === address.toLowerCase()) return
  const reason = master === null ? 'is not registered' : `is registered for ${master}`
  throw new NetworkMismatchError(
    `The id ${source} of the wallet ${address} ${reason} on ${network.name}. Run "deploy ${network.shortName} --wallet ${address}".`,
  )
}
