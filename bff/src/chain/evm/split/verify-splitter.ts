import { domainSeparator, type Hex, keccak256, type PublicClient, parseAbi } from 'viem'
import type { EvmNetwork, SigningDomain, Token } from '../../../core/families.ts'
import type { Fault } from '../../../network/network-health.ts'
import { NetworkMismatchError } from '../../network-fault.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { answer, looked, verifyCode } from '../rpc/verify-network.ts'

const separatorAbi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])

/**
 * Whether contract payments can be made on a network: our splitter is there, and tokens sign under the configured names.
 * @returns undefined when they can; never throws.
 */
export function verifySplitter(network: EvmNetwork, signal: AbortSignal): Promise<Fault | undefined> {
  return looked(network, signal, async (reader) => {
    await verifyContract(reader, network)
    for (const token of network.tokens) {
      if (token.permit) await verifyDomain(reader, network, token, token.permit)
      if (token.authorization) await verifyDomain(reader, network, token, token.authorization)
    }
  })
}

export async function verifyContract(reader: PublicClient, { name, splitter }: EvmNetwork): Promise<void> {
  const at = `The payment splitter of ${name} (${splitter})`
  const code = await verifyCode(reader, splitter, `${at} is not a contract: it was not deployed.`)
  if (keccak256(code) !== paymentSplitter.codeHash) throw new NetworkMismatchError(`${at} is another contract.`)
}

/** A wrong name or version would make every signature worthless, in the customer's hands. */
export async function verifyDomain(reader: PublicClient, network: EvmNetwork, token: Token, signing: SigningDomain) {
  const at = `${token.symbol} on ${network.name} (${token.address})`
  const address = token.address as Hex
  const onChain = await answer(
    reader.readContract({ address, abi: separatorAbi, functionName: 'DOMAIN_SEPARATOR' }),
    `${at} signs nothing: leave out its permit and authorization.`,
  )
  const domain = { ...signing, chainId: network.chainId, verifyingContract: address }
  if (domainSeparator({ domain }) !== onChain) {
    throw new NetworkMismatchError(`${at} does not sign as "${signing.name}", version "${signing.version}".`)
  }
}
