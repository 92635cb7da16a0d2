import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { CheckoutAttributes, CheckoutEvents, StablecoinCheckout } from './stablecoin-checkout.d.ts'

/** React 19 binds a custom event as `on` and its name: `onsc-paid`. */
type Handlers = { [Name in keyof CheckoutEvents as `on${Name}`]?: (event: CustomEvent<CheckoutEvents[Name]>) => void }

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'stablecoin-checkout': DetailedHTMLProps<HTMLAttributes<StablecoinCheckout>, StablecoinCheckout> &
        CheckoutAttributes &
        Handlers
    }
  }
}
