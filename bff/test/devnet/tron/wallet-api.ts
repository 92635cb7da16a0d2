import { blockIdOf, type ChainBlock, type ChainReceipt } from './tron-form.ts'
import type { TronView } from './tron-view.ts'

const withoutPrefix = (hex: string): string => hex.slice(2).toLowerCase()

/** 21 bytes in hex, as java-tron's HTTP interface writes addresses. */
const tronHex = (address: string): string => `41${withoutPrefix(address)}`

const evmHex = (address: string): string => `0x${address.slice(-40)}`

/** The part of java-tron's HTTP interface with which clients read a token and its transfers. */
export function createWalletApi(view: TronView) {
  async function shown(block: ChainBlock | null) {
    if (block === null) return {}
    const number = Number(block.number)
    const parent = await view.block(number - 1)
    return {
      blockID: withoutPrefix(blockIdOf(block)),
      block_header: {
        raw_data: {
          number,
          txTrieRoot: '0'.repeat(64),
          witness_address: `41${'0'.repeat(40)}`,
          parentHash: parent ? withoutPrefix(blockIdOf(parent)) : '0'.repeat(64),
          version: 31,
          timestamp: Number(block.timestamp) * 1000,
        },
        witness_signature: '',
      },
      transactions: [],
    }
  }

  async function transactionInfo(txId: string, upTo: number) {
    const receipt: ChainReceipt | null = await view.receipt(`0x${txId}`)
    if (receipt === null || Number(receipt.blockNumber) > upTo) return {}
    const block = await view.block(Number(receipt.blockNumber))
    return {
      id: txId,
      blockNumber: Number(receipt.blockNumber),
      blockTimeStamp: Number(block?.timestamp ?? 0) * 1000,
      contract_address: receipt.to === null ? undefined : tronHex(receipt.to),
      receipt: {
        energy_usage_total: Number(receipt.gasUsed),
        result: receipt.status === '0x1' ? 'SUCCESS' : 'REVERT',
      },
      log: receipt.logs.map(({ address, topics, data }) => ({
        address: withoutPrefix(address),
        topics: topics.map(withoutPrefix),
        data: withoutPrefix(data),
      })),
    }
  }

  async function callConstant(body: Record<string, unknown>) {
    const { contract_address: contract, data, function_selector: selector, parameter = '' } = body
    const input = typeof data === 'string' && data !== '' ? data : `${await selectorOf(String(selector))}${parameter}`
    const answer = await view.call({ to: evmHex(String(contract)), data: `0x${input}` })
    return {
      result: { result: true },
      energy_used: 0,
      constant_result: [withoutPrefix(answer)],
      transaction: { ret: [{}], visible: false, txID: '0'.repeat(64), raw_data: {}, raw_data_hex: '' },
    }
  }

  /** @returns undefined for a path that is not served. */
  return async function answer(path: string, body: Record<string, unknown>): Promise<object | undefined> {
    switch (path) {
      case '/wallet/getnowblock':
      case '/wallet/getblock':
        return await shown(await view.block(await view.head()))
      case '/walletsolidity/getnowblock':
        return await shown(await view.block(await view.solidified()))
      case '/wallet/getblockbynum':
        return await shown(await view.block(Number(body['num'])))
      case '/wallet/gettransactioninfobyid':
        return await transactionInfo(String(body['value']), await view.head())
      case '/walletsolidity/gettransactioninfobyid':
        return await transactionInfo(String(body['value']), await view.solidified())
      case '/wallet/triggerconstantcontract':
      case '/walletsolidity/triggerconstantcontract':
        return await callConstant(body)
      default:
        return undefined
    }
  }
}

async function selectorOf(signature: string): Promise<string> {
  const { toFunctionSelector } = await import('viem')
  return toFunctionSelector(signature).slice(2)
}
