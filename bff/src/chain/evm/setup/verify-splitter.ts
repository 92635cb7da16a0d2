import { domainSeparator, type Hex, keccak256, type PublicClient, parseAbi } from 'viem'
import type { EvmNetwork, SigningDomain, Token } from '../../../core/families.ts'
import type { Fault } from '../../../network/network-health.ts'
import { notDeployed } from '../../../network/network-health.ts'
import { NetworkMismatchError, verificationFault } from '../../network-fault.ts'
import { permit2Address, permit2Domain } from '../authorization/permit2.ts'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { isDomain } from '../eip712.ts'
import { type EvmPool, poolReader } from '../rpc/evm-pool.ts'
import { answer, verifyChainId, verifyCode } from './verify-network.ts'

const separatorAbi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])

/**
 * Verifies that contract payments work on a network: the splitter is deployed, and the tokens' domains match.
 * @returns undefined if they do; never throws.
 */
export async function verifySplitter(
  network: EvmNetwork,
  pool: EvmPool,
  signal: AbortSignal,
): Promise<Fault | undefined> {
  if (network.deposits !== 'forwarder')
    return { kind: 'off', reason: `${network.name} takes deposits only: no contract is used there.` }
  return await verificationFault(network, signal, async (until) => {
    await verifyChainId(network, pool)
    const reader = poolReader(pool, until)
    await verifyContract(reader, network)
    for (const token of network.tokens) {
      if (token.permit) await verifyDomain(reader, network, token, token.permit)
      if (isDomain(token.authorization)) await verifyDomain(reader, network, token, token.authorization)
    }
    await verifyPermit2(reader, network)
  })
}

export async function verifyContract(reader: PublicClient, { name, splitter }: EvmNetwork): Promise<void> {
  const at = `The payment splitter of ${name} (${splitter})`
  const code = await verifyCode(reader, splitter, `${at} ${notDeployed}`)
  if (keccak256(code) !== paymentSplitter.codeHash) throw new NetworkMismatchError(`${at} is another contract.`)
}

/** Verifies that Permit2 exists, if a token is authorized by it. */
export async function verifyPermit2(reader: PublicClient, network: EvmNetwork): Promise<void> {
  const token = network.tokens.find(({ authorization }) => authorization === 'permit2')
  if (token === undefined || network.signatureGas === null) return
  const reason = `Permit2 is not on ${network.name} (${permit2Address}): remove the authorization of ${token.symbol}.`
  await verifyCode(reader, permit2Address, reason)
  const onChain = await answer(
    reader.readContract({ address: permit2Address, abi: separatorAbi, functionName: 'DOMAIN_SEPARATOR' }),
    reason,
  )
  if (domainSeparator({ domain: permit2Domain(network.chainId) }) !== onChain) throw new NetworkMismatchError(reason)
}

/** Verifies the domain: with a wrong name or version, the token would reject every customer's signature. */
export async function verifyDomain(reader: PublicClient, network: EvmNetwork, token: Token, signing: SigningDomain) {
  const at = `${token.symbol} on ${network.name} (${token.address})`
  const address = token.address as Hex
  const onChain = await answer(
    reader.readContract({ address, abi: separatorAbi, functionName: 'DOMAIN_SEPARATOR' }),
    `${at} does not support signatures: remove its permit and authorization.`,
  )
  const domain = { ...signing, chainId: network.chainId, verifyingContract: address }
  if (domainSeparator({ domain }) !== onChain) {
    throw new NetworkMismatchError(`${at} does not sign as "${signing.name}", version "${signing.version}".`)
  }
}
