/** What the screens after the first and those of a wallet have in common. */
export const shared = {
  sentLate:
    'Have you just sent it? Money you sent is not lost: it is still watched for, and {0} can accept it or return it. Please do not send it again.',
  arrivedLate: '{0} arrived. It is not lost: {1} can accept it or return it.',
  keepId: 'Keep this payment id for {0}:',
  viewTransaction: 'View transaction',
  viewAddress: 'View address',
}

/** What the screens say that come after the first. */
export const screens = {
  confirmingText: 'Nothing more to do: the network is confirming it. You may close this page.',
  excess: 'You sent {0} more than was asked. It is not lost: {1} can return it to you.',
  settling: 'The payout to the shop is on its way.',
  settled: 'The money has reached the shop.',
  expiredText: 'The time to pay ended before the full amount arrived.',
  closedText: 'It can no longer be paid.',
  startAgain: 'Start again',
  elsewhere: 'Pay from another chain',
  askShop: 'Go back to the shop for a new payment.',
}
