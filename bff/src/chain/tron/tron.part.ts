export { tronConnector } from './tron-chain.ts'
