/**
 * The room before this shop, as `[vars.ROOMS.tickets]` of a wrangler.toml would say it. Each setting: docs/settings.md.
 * A visit must be able to outlast a hold: 630 s at most (seats.mjs).
 */
export const ROOM = "tickets";

export const SETTINGS = {
  host: "*",
  title: "Midnight Orchestra, tickets",
  // So small that the third browser sees the line. In earnest: three quarters of what the shop has been seen to stand.
  total_active_users: 2,
  new_users_per_minute: 30,
  // Minutes without a sign of life, then in all.
  session_duration: 11,
  session_max_minutes: 20,
  // This computer, so that a crowd from one address is not mistaken for a robot.
  trusted_networks: ["127.0.0.0/8", "::1"],
};
