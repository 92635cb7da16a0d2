import type { ReactiveController, ReactiveControllerHost } from 'lit'

export type Controller = ReactiveController
export type ControllerHost = ReactiveControllerHost & EventTarget
