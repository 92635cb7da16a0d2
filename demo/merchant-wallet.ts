import { randomBytes } from 'node:crypto'
import { xpubAddress } from '@stablecoin-checkout/bff/testing/evm'
import { tronAddressAt } from '@stablecoin-checkout/bff/testing/tron'
import { HDKey } from 'viem/accounts'

/** Accounts of the merchant's own wallet as the service gets them: extended public key and first address. The private keys are not kept. */
export function newWalletAccounts(): { evm: string; tron: string } {
  const wallet = HDKey.fromMasterSeed(randomBytes(32))
  const source = (coin: number) => wallet.derive(`m/44'/${coin}'/0'`).publicExtendedKey
  const [evm, tron] = [source(60), source(195)]
  return {
    evm: `${evm}@${xpubAddress({ source: evm, number: 0 })}`,
    tron: `${tron}@${tronAddressAt({ source: tron, number: 0 })}`,
  }
}
