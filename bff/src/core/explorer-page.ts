/**
 * The page of an address or a transaction in a network's explorer. Solana's explorer selects the cluster by a query after the path. Tron's
 * pages come after a `#`, and spell out "transaction".
 * @param type - The network's family.
 */
export function explorerPage(explorerUrl: string, type: unknown, kind: 'address' | 'tx', id: string): string {
  const [base = '', query] = explorerUrl.split('?')
  const page = type === 'tron' && kind === 'tx' ? 'transaction' : kind
  return `${base.replace(/\/+$/, '')}/${page}/${id}${query ? `?${query}` : ''}`
}
