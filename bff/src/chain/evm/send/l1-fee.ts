import { type Hex, type PublicClient, parseAbi, serializeTransaction } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'

/** https://specs.optimism.io/protocol/predeploys.html#gaspriceoracle */
const oracleAbi = parseAbi(['function getL1Fee(bytes transaction) view returns (uint256)'])

/** The fee depends on the length of the transaction: no real field is longer than these. */
const longest = { nonce: 0xffffffff, gas: 0xffffffn, maxFeePerGas: 10n ** 13n, maxPriorityFeePerGas: 10n ** 13n }

type Call = { target: string; data: string }

/**
 * A call's cost to the operator in addition to gas, in wei: on rollups the L1 data fee, which the oracle calculates
 * from the unsigned bytes.
 * @throws the node's error.
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
