/** The JSON-RPC layer: messages, the link contract, channel, exchange, peer and the wire tap. Knows nothing of MCP. */

export { BatchReply, MAX_BATCH } from './batch.ts'
export { Channel, isBatch, MAX_MESSAGE_BYTES, readText } from './channel.ts'
export type { ChannelOptions, Failed, Frame, SendOptions, TooLarge } from './channel.ts'
export type { Exchange, Requested, RequestOptions, TimerSetting } from './exchange.ts'
export { InboundRequest } from './inbound-request.ts'
export type {
  Link,
  LinkPort,
  LinkTraits,
  Outbound,
  Receipt,
  TextReading,
  Transport,
  Unreadable,
} from './link.ts'
export {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isRequestId,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  readMessage,
  writeError,
  writeNotification,
  writeRequest,
  writeResult,
} from './message.ts'
export type {
  ErrorObject,
  ErrorResponse,
  Malformed,
  Message,
  Notification,
  Reading,
  Request,
  RequestId,
  ResultResponse,
} from './message.ts'
export { Peer } from './peer.ts'
export type { Answer, EncodedError, PeerOptions } from './peer.ts'
export { joinSinks, readingsOf } from './wire.ts'
export type {
  AuthFacts,
  Chain,
  Direction,
  Facts,
  WireCloseEvent,
  WireEvent,
  WireMessageEvent,
  WireNote,
  WireNoteEvent,
  WireOpenEvent,
  WireSink,
} from './wire.ts'
