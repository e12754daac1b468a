/** What a stand-in for a room tells `npm run crowd` of itself: two places, and nobody anywhere. */
export function answersOf(room: string): Readonly<Record<string, unknown>> {
  const counts = { generation: 1, total_active_users: 2, new_users_per_minute: 60, waiting: 0, called: 0, inside: 0, lapsed: 0 };
  return {
    "/__vestibule/admin/api/rooms": { rooms: [{ room }] },
    [`/__vestibule/admin/api/rooms/${room}`]: { settings: { revoke_bound_seconds: 3 } },
    [`/__vestibule/admin/api/rooms/${room}/stats`]: {
      ...counts,
      ...{ passed_over: 0, missed: 0, returning: 0, leaving: 0, ended: 0, issued: 0, places_held: 0, places_leased: 0 },
    },
    [`/__vestibule/rooms/${room}/manifest`]: { endSessionsBefore: 0 },
  };
}
