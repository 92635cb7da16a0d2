/** What is said around the card: the button that opens it, and a price that cannot be converted. */
export const offer = {
  payAmount: 'Pay {0}',
  close: 'Close',
  noRate: 'The price cannot be converted now',
  noRateText: 'There is no current exchange rate. Nothing was charged.',
}
