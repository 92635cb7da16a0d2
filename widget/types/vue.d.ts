import type { DefineComponent, HTMLAttributes, ReservedProps } from 'vue'
import type { CheckoutAttributes, CheckoutEvents } from './stablecoin-checkout.d.ts'

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Camel<Rest>}`
  : Capitalize<Name>

/** In templates `@sc-paid`, in JSX `onScPaid`. */
type Handlers = {
  [Name in keyof CheckoutEvents as `on${Camel<Name>}`]?: (event: CustomEvent<CheckoutEvents[Name]>) => void
}

type Tag = HTMLAttributes & ReservedProps & CheckoutAttributes & Handlers

declare module 'vue' {
  interface GlobalComponents {
    'stablecoin-checkout': DefineComponent<Tag>
  }
}

declare module 'vue/jsx-runtime' {
  namespace JSX {
    interface IntrinsicElements {
      'stablecoin-checkout': Tag
    }
  }
}
