/**
 * java-tron's responses where they differ from anvil's: block ids that start with the block's number, blocks without filters,
 * logs without a time. Source: `framework/src/main/java/org/tron/core/services/jsonrpc` of java-tron (`BlockResult`, `LogMatch`,
 * `TransactionReceipt`).
 */

export type Hex = `0x${string}`

/** The fields read from an anvil block. */
export type ChainBlock = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; gasUsed: Hex; transactions: Hex[] }

export type ChainLog = {
  address: Hex
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  transactionIndex: Hex
  logIndex: Hex
}

export type ChainReceipt = {
  status: Hex
  from: Hex
  to: Hex | null
  contractAddress: Hex | null
  gasUsed: Hex
  cumulativeGasUsed: Hex
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  transactionIndex: Hex
  logs: ChainLog[]
}

const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`

export const quantity = (value: number | bigint): Hex => `0x${value.toString(16)}`

/** Eight bytes of the number, then the hash. */
export const blockIdOf = ({ number, hash }: { number: Hex; hash: Hex }): Hex =>
  `0x${Number(number).toString(16).padStart(16, '0')}${hash.slice(18)}`

/** The number in a block id. */
export const numberOfId = (id: string): number => Number(`0x${id.slice(2, 18)}`)

export function tronBlock(block: ChainBlock, parent: ChainBlock | null) {
  return {
    baseFeePerGas: '0x0',
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: '0x0',
    gasUsed: block.gasUsed,
    hash: blockIdOf(block),
    logsBloom: zeros(256),
    miner: zeros(20),
    mixHash: zeros(32),
    nonce: zeros(8),
    number: block.number,
    parentHash: parent === null ? zeros(32) : blockIdOf(parent),
    receiptsRoot: zeros(32),
    sha3Uncles: zeros(32),
    size: '0x100',
    stateRoot: '0x',
    timestamp: block.timestamp,
    totalDifficulty: '0x0',
    transactions: block.transactions,
    transactionsRoot: zeros(32),
    uncles: [],
  }
}

export function tronLog(log: ChainLog) {
  return {
    address: log.address.toLowerCase(),
    blockHash: blockIdOf({ number: log.blockNumber, hash: log.blockHash }),
    blockNumber: log.blockNumber,
    data: log.data,
    logIndex: log.logIndex,
    removed: false,
    topics: log.topics,
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionIndex,
  }
}

/** Price of energy in sun since proposal 104. */
export const energyPriceSun = 100

export function tronReceipt(receipt: ChainReceipt) {
  return {
    blockHash: blockIdOf({ number: receipt.blockNumber, hash: receipt.blockHash }),
    blockNumber: receipt.blockNumber,
    contractAddress: receipt.contractAddress,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    effectiveGasPrice: quantity(energyPriceSun),
    from: receipt.from,
    gasUsed: receipt.gasUsed,
    logs: receipt.logs.map(tronLog),
    logsBloom: zeros(256),
    status: receipt.status,
    to: receipt.to,
    transactionHash: receipt.transactionHash,
    transactionIndex: receipt.transactionIndex,
    type: '0x0',
  }
}
