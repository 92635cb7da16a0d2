/**
 * A page of a network's explorer: that of an address, or of a transaction. Solana's explorer selects the cluster by a query, which follows the
 * path; Tron's has its pages behind a `#`, and writes "transaction" in full.
 * @param type - The network's family.
 */
export function explorerPage(explorerUrl: string, type: unknown, kind: 'address' | 'tx', id: string): string {
  const [base = '', query] = explorerUrl.split('?')
  const page = type === 'tron' && kind === 'tx' ? 'transaction' : kind
  return `${base.replace(/\/+$/, '')}/${page}/${id}${query ? `?${query}` : ''}`
}
