/**
 * What each setting means, for docs/settings.md. Apart from the schema, since no request needs it: whatever the Worker imports is loaded into
 * every isolate. Pure.
 */
import type { EventSettingName } from "./event-schema";
import type { SettingName } from "./settings-schema";

export const SETTINGS_ABOUT: Readonly<Record<SettingName, string>> = {
  host: "The host that the room protects.",
  path: "The path that the room protects, with everything below it; upper and lower case are the same.",
  additional_routes: "More hosts and paths that share this room's line.",
  total_active_users: "How many people may be inside at once; never exceeded.",
  new_users_per_minute: "How many people may go in per minute; 6 lets one in every 10 seconds, 0 nobody.",
  session_duration: "How long someone inside may be idle before the place is given away.",
  session_max_minutes: "How long a visit may last, idle or not.",
  disable_session_renewal: "A visit ends session_duration after it began, idle or not; session_max_minutes has no say then.",
  reentry_window_minutes: "How long after an idle end someone may go straight back in, if a place is free.",
  pass_refresh_seconds:
    "How old a pass may get before the Room is asked again; the shortest time after which a copied pass is noticed. More than twice what the site takes to answer.",
  reserve_seconds: "How long a called visitor who has not answered holds a place.",
  claim_window_seconds: "How long a call stays valid: go in within this time or miss the turn.",
  max_calls: "How often someone who keeps missing the turn is called again.",
  absent_after_seconds: "Someone near the front who was not seen for this long is passed over until back.",
  poll_near_seconds: "How often a waiting page near the front asks.",
  poll_far_seconds: "How often a waiting page far back asks.",
  queue_capacity: "How many people may wait at once; later ones are told that the line is full.",
  revoke_bound_seconds: "How long a place given up by leaving or removal stays empty, so that every edge knows before it is used again.",
  cookie_max_age_hours: "How long a browser keeps its place without coming back.",
  queue_all: "Pause: nobody goes in, everybody keeps the place.",
  suspended: "Room off, for an emergency: everybody goes straight to the site, even if the room is closed outside its events.",
  mode: "shadow tries a room on live traffic: it counts and decides as ever but holds nobody, and says in a header and in the statistics what it would have done.",
  queueing_method:
    "Who is called first. fifo: who came first; random: drawn among those who come within shuffle_window_seconds; passthrough: everybody goes straight in; reject: nobody may join.",
  shuffle_window_seconds: "random: places are drawn among those who come within this time, so that a faster connection gains nothing.",
  events: "Scheduled sales: what one takes is below.",
  closed_outside_events: "Outside its events nobody goes in or joins.",
  beacon: "Public randomness in the draw of a shuffled event; with none, whoever runs the room could have known the order.",
  beacon_wait_seconds:
    "How long to wait for the beacon's number once it is due, 10 to 13 seconds after the start; then the draw is made without, and says so.",
  settle_seconds:
    "How long after a draw nobody is passed over for being away. Then those are who have not been seen since the draw. 0: nobody is, for that.",
  queueing_status_code: "The HTTP status of the waiting page.",
  json_response_enabled:
    "For apps made for Cloudflare Waiting Room: requests whose Accept prefers application/json to text/html get its cfWaitingRoom object, with queueing_status_code. They wait in line whatever their method.",
  aws_event_id:
    "For clients made for AWS Virtual Waiting Room: the id of their event, which is served under /__vestibule/rooms/<room>/aws/. Needs the secret AWS_TOKEN_KEY. Off if empty.",
  enabled_origin_commands:
    "What the site may say about a visit by a response header: revoke by Cf-Waiting-Room-Command, the others by Vestibule-Command.",
  slow_down:
    "A brake for a site that struggles: when more than max_error_percent of its replies fail, or 5 in 100 take longer than max_p95_ms to their first byte, new_users_per_minute is halved at once, and again while that lasts, down to floor_per_minute. full-rate gives it back; with recover = true it also comes back by itself, in small steps.",
  failure_policy:
    "What newcomers and people in line meet while the Room cannot be reached: closed keeps them waiting; open lets a few go in, in no order, after open_after_seconds.",
  open_after_seconds: "failure_policy = open: how long the connection to the Room must have failed, without one answer in between.",
  entry:
    "Who may join. open: anybody; invited: who holds an invitation (npm run invite); identified: who is logged in at the site. People with a place are never asked again.",
  identity_cookie: "identified: the cookie that holds the log-in's JWT.",
  identity_header: "identified: the header that holds it; a scheme such as Bearer may stand in front.",
  identity_issuer: "identified: the JWT's iss, exactly.",
  identity_audience: "identified: what the JWT's aud must be or hold.",
  identity_claim: "identified: the claim that tells one person from another.",
  identity_jwks_url:
    "identified: where the log-in publishes its keys (JWKS). If empty, the room's shared key in the secret IDENTITY_KEYS counts.",
  identity_jwks_refetch_seconds: "identified: the keys are fetched at most this often because a JWT names one that is not known.",
  identity_login_url:
    "identified: where visitors log in, shown to those who are not; it must lie outside the room, or in a path that bypass_rules open to everybody.",
  challenge:
    "What a newcomer is asked for before a place is given, where proof is due. pow: work for the device, by ALTCHA; turnstile: Cloudflare's check, which needs the secret TURNSTILE_SECRET. Nobody with a place is ever asked.",
  challenge_everyone: "Every newcomer is asked for proof, not only those over a limit.",
  join_limit_per_minute:
    "How many places one network (IPv4 /24, IPv6 /64) may take per minute before its newcomers meet over_limit. A network that keeps its share of the crowd may take more as the crowd grows.",
  join_limit_address_per_minute: "The same for a single IPv4 address.",
  join_limit_wide_per_minute: "The same for an IPv6 /48, which one customer may hold whole.",
  over_limit: "What someone over a limit meets: challenge asks for proof, refuse asks to try again later.",
  free_entries:
    "How many entries one network may make in a lobby with a draw before its newcomers are asked for proof. The proof gets dearer each time the number of its entries doubles.",
  under_attack_joins_per_minute:
    "With more attempts than this the room counts as under attack by itself: every newcomer is asked for proof, and for one step more than otherwise.",
  trusted_networks: "Networks whose newcomers are never counted by a limit and never asked for proof.",
  refused_networks: "Networks whose newcomers get no place. Whoever has one keeps it.",
  turnstile_sitekey: "turnstile: the widget's public key.",
  turnstile_action: "turnstile: the action that the widget names and Cloudflare confirms.",
  turnstile_outage:
    "turnstile: what newcomers meet while Cloudflare cannot be asked: pow, a proof of work in its place; closed, try again later.",
  public_totals: "How visitors see totals; their own place, or the number of their entry in a draw, is always exact.",
  bypass_rules:
    "Requests that go to the site without a place and are not counted: webhooks, health checks, log-ins. The first rule that fits counts; all its conditions must hold.",
  staff_places: "How many people of the house may be inside outside the count, by staff links.",
  webhooks:
    "Who is told what of this room, by signed webhooks. Of each: name; url (left out where the address is in the secret WEBHOOK_URLS); tell, any of queueing, wait, errors, entries, brake, settings, draws, limits (all if left out); secret_version (1), one more makes another secret.",
  tell_wait_over_minutes: "webhooks are told (wait) when somebody who joins now would wait longer. 0: never.",
  tell_errors_over_percent: "webhooks are told (errors) when more of the site's replies fail. 0: never.",
  expected_visitors:
    "How many people you expect in a day, or in the event: warnings say whether workers_plan carries them. Nothing else depends on it.",
  presets:
    "Pairs of rate and capacity by name, such as a soft start and the normal pace: the console puts them into its dials. Nothing else depends on it.",
  workers_plan: "The plan of the Cloudflare account, which the Worker cannot see; the console asks for it once.",
  cors_origins: "Origins whose scripts may ask this room with credentials and read its replies. The Worker answers their preflights.",
  cookie_domain: "The domain of the cookies, for a room that spans hosts; each host its own if empty.",
  bind_network:
    "Notice when a pass is shown from another network (with ticket: a ticket too). The Room is asked at once then, and a visit that moves often is asked to press a button.",
  partitioned_cookies: "Mark cookies Partitioned, for a site that is shown in frames of other sites.",
  frame_ancestors:
    "Origins whose pages may show the waiting page in a frame, as they do with the site. None if empty. Frames of other sites need partitioned_cookies as well.",
  title: "The heading of the waiting page; the host's name if empty.",
  message: "A message to everybody in line.",
  messages: "The same message in other languages: people who read one of them see its text in place of message.",
  default_template_language:
    "The language of the waiting page for visitors whose own language it does not have. The names are Cloudflare's.",
  words: "Texts of the waiting page in place of ours, by language and name (docs/page.md).",
  position_display:
    "How the page shows the number of people ahead. exact; rounded: two figures, rounded up; capped: exact below 2,000, from there on 2,000+; hidden: the estimate alone. Programs are always told the exact number.",
  accent_color:
    "The waiting page's colour for buttons, links and the number. A colour with less contrast than 4.5 (WCAG AA) is refused, with one that would do.",
  accent_color_dark: "The same where visitors prefer dark pages; follows from accent_color if empty.",
  background_color: "The waiting page's ground.",
  background_color_dark: "The same where visitors prefer dark pages.",
  color_scheme: "Light or dark pages: auto as each visitor prefers, else always the same.",
  logo: "The logo above the waiting page. Set by the upload itself; by name, one of the last that were uploaded holds again.",
  logo_alt:
    "What the logo says, for those who cannot see it; the logo then stands in place of the title. If empty it stands beside the title.",
  template:
    "A waiting page of your own, with the variables of Cloudflare's custom_page_html (docs/own-page.md). Set by the upload itself, as logo is.",
  template_origins: "Origins that scripts and frames of the template may be of, and that its scripts may ask, besides the site itself.",
  location_hint: "Where Cloudflare should create the room's Durable Object; counts only the first time, auto = near the first visitor.",
};

export const EVENT_SETTINGS_ABOUT: Readonly<Record<EventSettingName, string>> = {
  name: "The event's name in the admin API and in records of draws; unique in the room.",
  prequeue_start_time: "When the lobby opens: from then until the start everybody collects and nobody goes in. No lobby if left out.",
  event_start_time: "When the doors open. What the event changes holds from here, or from the lobby on if there is one.",
  event_end_time: "From here on the room's own settings hold again. Nobody inside is turned out.",
  shuffle_at_event_start:
    "Deal places to everybody in the lobby by a draw that anyone can check: once the lobby is open, coming earlier gains nothing. Needs prequeue_start_time.",
  keep_sessions:
    "Visits from before the lobby go on. If false they end when it opens: else whoever happens to be inside would skip the line. Needs prequeue_start_time.",
  cancelled: "Called off, with these words to everybody who had entered. It takes place if left out.",
  suspended: "The event is off, as if it were not here (Cloudflare's meaning): for plans that are not certain yet.",
};
