import type { Hex } from 'viem'
import type { DepositKind, EvmNetwork } from '../../../core/families.ts'
import { simulatedChainId } from '../../../core/simulated-chain-ids.ts'
import type { DepositRules, ServiceAddresses } from '../../deposit-kind.ts'
import { formatDepositTerms } from './deposit-terms.ts'
import { depositAddress } from './forwarder-address.ts'
import { xpubAddresses } from './xpub-addresses.ts'

const forwarders: ServiceAddresses<EvmNetwork> = {
  isDirect: false,
  newDeposit(network, { token, merchantWallet, common, feeBps, salt, operator }) {
    if (operator === null) throw new Error('A network needs an operator, and none is configured')
    const terms = {
      chainId: common.isTest ? simulatedChainId : network.chainId,
      token: token.address as Hex,
      amount: common.due,
      least: common.least,
      merchant: merchantWallet as Hex,
      platform: network.platformWallet as Hex,
      feeBps,
      deadlineSeconds: Math.ceil(common.windowEndsAtMs / 1000),
      operator: operator as Hex,
      salt: `0x${salt}` as const,
    }
    const factory = network.factory as Hex
    return {
      depositAddress: depositAddress(terms, factory),
      depositTerms: formatDepositTerms({ ...terms, factory }),
      isDirect: false,
    }
  },
}

/** The kinds of deposit address that EVM networks offer. */
const rulesByKind: { readonly [Kind in DepositKind]?: DepositRules<EvmNetwork> } = {
  forwarder: forwarders,
  xpub: xpubAddresses,
}

export const evmDepositKinds = Object.keys(rulesByKind) as DepositKind[]

/** @throws {Error} for a kind that the configuration refuses. */
export function evmDeposits(kind: DepositKind): DepositRules<EvmNetwork> {
  const rules = rulesByKind[kind]
  if (!rules) throw new Error(`EVM networks have no deposit addresses of the kind ${kind}`)
  return rules
}
