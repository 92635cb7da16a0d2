import { type Hex, type PublicClient, parseAbi, serializeTransaction } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'

/** https://specs.optimism.io/protocol/predeploys.html#gaspriceoracle */
const oracleAbi = parseAbi(['function getL1Fee(bytes transaction) view returns (uint256)'])

/** The fee depends on the length: no field of ours is longer than these. */
const longest = { nonce: 0xffffffff, gas: 0xffffffn, maxFeePerGas: 10n ** 13n, maxPriorityFeePerGas: 10n ** 13n }

type Call = { target: string; data: string }

/**
 * What a call costs the operator beside its gas, in wei: on rollups the publishing of the transaction, which the oracle reckons from its
 * unsigned bytes. @throws the node's error.
 */
export async function readL1Fee(
  client: PublicClient,
  { chainId, l1FeeOracle }: Pick<EvmNetwork, 'chainId' | 'l1FeeOracle'>,
  { target, data }: Call,
): Promise<bigint> {
  if (!l1FeeOracle) return 0n
  const unsigned = serializeTransaction({ ...longest, chainId, to: target as Hex, data: data as Hex, type: 'eip1559' })
  const call = { address: l1FeeOracle as Hex, abi: oracleAbi, functionName: 'getL1Fee', args: [unsigned] } as const
  return await client.readContract(call)
}
