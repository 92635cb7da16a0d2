import type { EvmNetwork } from '@stablecoin-checkout/bff/testing/core'
import { parseVirtualAddress } from '@stablecoin-checkout/bff/testing/evm'
import type { Hex } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { masterId, masterSalt } from '../../devnet/tempo.ts'

/** Kind of deposit addresses. `virtual` applies to a whole life: chains with virtual addresses have no forwarders. */
export type DepositKind = EvmNetwork['deposits']

/** The merchant's wallet; the service knows the extended public key of one of its accounts. */
const wallet = HDKey.fromMasterSeed(Buffer.alloc(32, 9))
const account = wallet.derive("m/44'/60'/0'").publicExtendedKey

/** The wallet credited by virtual addresses, with a known salt. */
export const masterWallet: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** The merchant's wallet in the form of the kind. @param plain - The address used if the service makes the addresses. */
export const walletNamed = (kind: DepositKind, plain: Hex): string =>
  ({
    forwarder: plain,
    xpub: `${account}@${hdKeyToAccount(wallet).address}`,
    virtual: `${masterWallet}:${masterSalt}`,
  })[kind]

/** The account that sends for the wallet of {@link walletNamed}. */
export const payerOf = (kind: DepositKind, plain: Hex): Hex =>
  ({ forwarder: plain, xpub: hdKeyToAccount(wallet).address, virtual: masterWallet })[kind]

/** The wallet that a transfer to a virtual address credits in the same transaction; undefined for any other address. */
export const masterOf = (address: string): Hex | undefined =>
  parseVirtualAddress(address)?.masterId === masterId ? masterWallet : undefined
