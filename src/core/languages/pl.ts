/** The words of the page in Polish. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "Szukamy Twojego miejsca", body: ["To potrwa kilka sekund. Prosimy nie zamykać tej strony."] },
    "in-app": {
      heading: "Lepiej otwórz tę stronę w swojej przeglądarce",
      body: [
        "To wbudowana przeglądarka innej aplikacji. Jeśli aplikacja zamknie tę stronę, miejsce może przepaść.",
        "Skopiuj link i otwórz go w przeglądarce, której zwykle używasz. Jeśli tu zostaniesz, dostaniesz miejsce tutaj. Pozostało: {due}.",
      ],
    },
    "joining-unreachable": {
      heading: "Kolejka jest teraz nieosiągalna",
      body: ["W tej chwili nikt nie może dołączyć. Ta strona próbuje dalej i da Ci miejsce, gdy tylko będzie to możliwe."],
    },
    "storage-full": {
      heading: "Kolejka nie może nikogo przyjąć",
      body: ["Jeśli masz miejsce, zachowujesz je. Prosimy wrócić później; ta strona też próbuje dalej."],
    },
    waiting: { heading: "Jesteś w kolejce", body: [] },
    next: { heading: "Jesteś następną osobą", body: ["Wejdziesz, gdy tylko zwolni się miejsce. Prosimy pozostać na tej stronie."] },
    nearly: { heading: "Już prawie", body: ["Prosimy pozostać na tej stronie i przygotować swoje dane."] },
    slow: { heading: "Jesteś w kolejce", tab: "Wolniej niż oczekiwano", body: ["Kolejka posuwa się wolniej, niż oczekiwano."] },
    "not-moving": { heading: "Kolejka stoi", body: ["W tej chwili nikt nie jest wpuszczany. Zachowujesz swoje miejsce."] },
    restarted: {
      heading: "Poczekalnia została uruchomiona od nowa",
      body: ["Kolejka zaczęła się od początku i masz w niej nowe miejsce."],
    },
    unreachable: {
      heading: "Kolejka jest teraz nieosiągalna",
      body: ["Zachowujesz swoje miejsce. Ta strona próbuje dalej; nie musisz nic robić."],
    },
    paused: { heading: "Kolejka jest wstrzymana", body: ["Na razie nikt nie jest wpuszczany. Zachowujesz swoje miejsce."] },
    called: {
      heading: "Możesz już wejść",
      tab: "● Twoja kolej",
      body: ["Przyszła Twoja kolej.", "Czas na wejście: {valid}. Potem wywołana zostanie następna osoba."],
    },
    moment: {
      heading: "Przyszła Twoja kolej",
      tab: "● Wchodzisz",
      body: ["Serwis zaraz się dla Ciebie otworzy. Pozostało: {due}. Prosimy pozostać na tej stronie."],
    },
    missed: {
      heading: "Twoja kolej minęła podczas Twojej nieobecności",
      tab: "Wchodzisz jako następna osoba",
      body: [
        "Wejdziesz jako następna osoba, gdy tylko zwolni się miejsce. Prosimy pozostać na tej stronie.",
        "Na tę drugą szansę pozostało: {valid}.",
      ],
    },
    "missed-others": {
      heading: "Twoja kolej minęła podczas Twojej nieobecności",
      tab: "Wchodzisz wśród następnych",
      body: [
        "Wejdziesz wśród następnych, po innych osobach, które też wróciły. Prosimy pozostać na tej stronie.",
        "Na tę drugą szansę pozostało: {valid}.",
      ],
    },
    "welcome-back": {
      heading: "Witamy ponownie",
      body: [
        "Nie było Cię przez jakiś czas i w tej chwili nie ma wolnego miejsca. Wejdziesz wśród następnych.",
        "Na tę drugą szansę pozostało: {valid}.",
      ],
    },
    inside: { heading: "Jesteś w środku", body: ["Dostęp jest otwarty. Możesz przejść do serwisu."] },
    "room-off": { heading: "Możesz wejść", body: ["Nie ma już kolejki. Serwis zaraz się dla Ciebie otworzy. Pozostało: {due}."] },
    void: {
      heading: "Wejście nastąpiło z innego okna",
      body: ["Twoja wizyta trwa tam dalej. Jeśli przejdziesz tutaj, tamto okno się zatrzyma.", "Możesz kontynuować tutaj {takeovers}."],
    },
    "void-final": {
      heading: "Wejście nastąpiło z innego okna",
      tab: "Twoja wizyta trwa gdzie indziej",
      body: ["Twoja wizyta trwa tam dalej. Zbyt wiele razy zmieniała okno, aby można było kontynuować ją tutaj.", rejoin],
    },
    left: { heading: "Kolejka opuszczona", body: [`Twoje miejsce przeszło na następną osobę. ${rejoin}`] },
    removed: { heading: "Twoje miejsce zostało odebrane", body: [`Zrobili to administratorzy tego serwisu. ${rejoin}`] },
    flushed: {
      heading: "Kolejka została opróżniona",
      body: ["Administratorzy tego serwisu zakończyli wszystkie miejsca. Możesz dołączyć ponownie."],
    },
    "turn-over": { heading: "Twoja kolej minęła", body: [`Była Twoja kolej, a czas na powrót się skończył. ${rejoin}`] },
    "visit-over": { heading: "Twoja wizyta się zakończyła", body: [`Czas tej wizyty minął. ${rejoin}`] },
    "network-changed": {
      heading: "Czy to nadal Ty?",
      body: ["Twoje połączenie zmieniło się kilka razy. Miejsce jest zachowane: kontynuuj tutaj, nic innego się nie zmieni."],
    },
    "place-void": {
      heading: "Twoje miejsce jest zajęte",
      body: [`Ten serwis musiał zmienić swoje klucze, a inna przeglądarka okazała to miejsce jako pierwsza. ${rejoin}`],
    },
    ended: { heading: "Twoje miejsce wygasło", body: [`Tego miejsca nie ma już w kolejce. ${rejoin}`] },
    "sold-out": { heading: "Wyprzedane", body: ["Nikt więcej nie jest wpuszczany. Nie musisz już czekać."] },
    full: {
      heading: "Kolejka jest pełna",
      body: ["W tej chwili nie ma miejsca dla kolejnych osób. Ta strona próbuje dalej i da Ci miejsce, gdy tylko jakieś będzie."],
    },
    closed: {
      heading: "Kolejka nie przyjmuje nowych osób",
      body: ["W tej chwili nikt nie może dołączyć. Osoby w kolejce zachowują swoje miejsca. Ta strona próbuje dalej."],
    },
    "network-limit": {
      heading: "Zbyt wiele osób z Twojej sieci",
      body: [
        "Przed chwilą dołączyło wiele osób z Twojej sieci. Szkoły, biura i sieci komórkowe często mają jeden wspólny adres.",
        "Ta strona próbuje dalej. Inna sieć, na przykład dane komórkowe zamiast wi-fi, może być szybsza.",
      ],
    },
    "network-refused": {
      heading: "Z tej sieci nikt nie może dołączyć",
      body: [
        "Administratorzy tego serwisu nie dopuszczają nikogo z sieci, której używasz. Może pomóc inna sieć, na przykład dane komórkowe.",
      ],
    },
    challenge: {
      heading: "Najpierw krótkie sprawdzenie",
      body: [
        "Właśnie przybywa wiele nowych osób. Zanim dostaniesz miejsce, Twoja przeglądarka pokaże, że nie jest jedną z tysięcy obsługiwanych przez robota.",
      ],
    },
    "cookies-needed": {
      heading: "Prosimy zezwolić na pliki cookie",
      body: [
        "Przechowujemy Twoje miejsce w pliku cookie. Bez niego nie możemy wiedzieć, kiedy przyjdzie Twoja kolej.",
        "Zezwól na pliki cookie tego serwisu w ustawieniach przeglądarki, a potem spróbuj ponownie.",
      ],
    },
    lobby: {
      heading: "Jesteś w przedsionku",
      body: [
        "Początek: {starts}.",
        "Na miejscu wydarzenia to {startsThere}.",
        "Twoje zgłoszenie jest już liczone; nie musisz nic robić.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    "lobby-line": {
      heading: "Jesteś w kolejce, a początek dopiero nastąpi",
      body: ["Początek: {starts}.", "Na miejscu wydarzenia to {startsThere}.", "Zachowujesz swoje miejsce."],
    },
    delayed: {
      heading: "Początek później, niż planowano",
      body: [
        "Plan: {planned}. Nowy początek: {starts}.",
        "Na miejscu wydarzenia to {startsThere}.",
        "Twoje zgłoszenie jest już liczone; nie musisz nic robić.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: { heading: "Losowanie miejsc…", body: ["{entered}", "To potrwa kilka sekund. Prosimy nie zamykać tej strony."] },
    "awaiting-number": {
      heading: "Czekamy na publiczną liczbę losową",
      tab: "Losowanie miejsc…",
      body: [
        "{entered}",
        "Kolejność wynika z publicznej liczby losowej, której jeszcze nikt nie zna. Czekamy na nią.",
        "Zwykle pojawia się w ciągu pół minuty. Jeśli nie będzie jej zbyt długo, miejsca zostaną wylosowane bez niej, a protokół losowania to odnotuje.",
        "Prosimy nie zamykać tej strony.",
      ],
    },
    dealing: {
      heading: "Przydzielanie miejsc…",
      body: [
        "Wszyscy, którzy przyszli w tej samej krótkiej chwili, dostają między sobą losowe miejsca. Odrobina pośpiechu nic nie daje.",
        "Prosimy nie zamykać tej strony.",
      ],
    },
    cancelled: { heading: "To zostało odwołane", body: ["Odwołali to administratorzy tego serwisu."] },
    "cancelled-line": {
      heading: "To zostało odwołane",
      body: ["Odwołali to administratorzy tego serwisu. Zachowujesz swoje miejsce w zwykłej kolejce."],
    },
    "outside-events": { heading: "Teraz jest zamknięte", body: ["Otwarcie: {opens}.", "Do otwarcia nikt nie jest wpuszczany."] },
    rejected: {
      heading: "W tej chwili nikt nie jest wpuszczany",
      body: ["Nie ma też kolejki, do której można dołączyć. Prosimy wrócić później."],
    },
    "left-lobby": {
      heading: "Przedsionek opuszczony",
      body: [
        "Twoje zgłoszenie nadal jest liczone, a jego miejsce pozostanie niewykorzystane. Jeśli wrócisz przed początkiem, dostaniesz nowe zgłoszenie.",
      ],
    },
    "invitation-needed": {
      heading: "Potrzebne jest zaproszenie",
      body: [
        "Do tej kolejki mogą dołączyć tylko osoby z zaproszeniem. Otwórz link ze swojego zaproszenia w tej przeglądarce.",
        "Jeśli właśnie to się stało, zezwól na pliki cookie tego serwisu i otwórz link jeszcze raz.",
      ],
    },
    "invitation-bad": {
      heading: "Nie można odczytać tego zaproszenia",
      body: [
        "Link mógł zostać po drodze ucięty lub zmieniony. Otwórz go jeszcze raz z wiadomości, w której przyszedł, albo skopiuj go w całości.",
        "Jeśli to nie pomoże, poproś nadawcę o nowe zaproszenie.",
      ],
    },
    "invitation-expired": {
      heading: "To zaproszenie wygasło",
      body: ["Czas na jego użycie minął. Poproś nadawcę o nowe."],
    },
    "invitation-other-room": {
      heading: "To zaproszenie dotyczy czegoś innego",
      body: ["Nie otwiera tej kolejki. Poszukaj zaproszenia do niej albo zapytaj nadawcę."],
    },
    "invitation-used": {
      heading: "To zaproszenie zostało wykorzystane",
      body: [
        "Wszystkie miejsca, które daje, są zajęte. Jeśli jedno z nich jest Twoje, kontynuuj w przeglądarce, w której zaproszenie zostało otwarte po raz pierwszy.",
        "W przeciwnym razie poproś nadawcę o nowe.",
      ],
    },
    "identity-needed": {
      heading: "Prosimy najpierw się zalogować",
      body: ["Do tej kolejki mogą dołączyć tylko osoby zalogowane. Zaloguj się, wróć na tę stronę i spróbuj ponownie."],
    },
    "identity-bad": {
      heading: "Prosimy zalogować się ponownie",
      body: ["Twoje logowanie nie jest tu ważne. Wyloguj się, zaloguj ponownie, wróć na tę stronę i spróbuj jeszcze raz."],
    },
    "identity-expired": {
      heading: "Twoje logowanie wygasło",
      body: ["Czas Twojego logowania minął. Zaloguj się ponownie, wróć na tę stronę i spróbuj jeszcze raz."],
    },
    "identity-unchecked": {
      heading: "Nie możemy teraz sprawdzić Twojego logowania",
      body: ["Nie musisz nic robić: ta strona próbuje dalej i da Ci miejsce, gdy tylko będzie to możliwe."],
    },
  },
  ahead: { one: "osoba przed Tobą", few: "osoby przed Tobą", many: "osób przed Tobą", other: "osoby przed Tobą" },
  aheadReturning: {
    one: "inna osoba, która wróciła, jest przed Tobą",
    few: "inne osoby, które wróciły, są przed Tobą",
    many: "innych osób, które wróciły, jest przed Tobą",
    other: "innej osoby, która wróciła, jest przed Tobą",
  },
  aheadTab: { other: "{n} przed Tobą" },
  aheadSentence: {
    one: "Przed Tobą jest {n} osoba.",
    few: "Przed Tobą są {n} osoby.",
    many: "Przed Tobą jest {n} osób.",
    other: "Przed Tobą jest {n} osoby.",
  },
  takesIn: "Gdy przyjdzie Twoja kolej, ta strona Cię wprowadzi.",
  returners: {
    one: "{n} osoba, która przegapiła swoją kolej, wróciła i wchodzi pomiędzy innymi.",
    few: "{n} osoby, które przegapiły swoją kolej, wróciły i wchodzą pomiędzy innymi.",
    many: "{n} osób, które przegapiły swoją kolej, wróciło i wchodzi pomiędzy innymi.",
    other: "{n} osoby, które przegapiły swoją kolej, wróciło i wchodzi pomiędzy innymi.",
  },
  wait: "Szacowany czas oczekiwania: {wait}",
  waitAt: "Szacowany czas oczekiwania: {wait} (około {clock})",
  rose: "Kolejka zwolniła, dlatego szacowany czas jest dłuższy niż wcześniej.",
  waitUnknown: "Nie możemy jeszcze oszacować czasu oczekiwania.",
  about: "mniej więcej {time}",
  lessThan: "mniej niż {time}",
  moreThan: "ponad {time}",
  range: "{from} – {to}",
  takeovers: { one: "jeszcze {n} raz", few: "jeszcze {n} razy", many: "jeszcze {n} razy", other: "jeszcze {n} razu" },
  way: "Twoja droga przez kolejkę",
  message: "Wiadomość od serwisu",
  messageAt: "Stan na: {time}",
  startsIn: "Do początku pozostało: {time}",
  startsNow: "Zaczyna się. Twoje miejsce pojawi się za chwilę.",
  entered: {
    one: "Zgłosiła się {n} osoba.",
    few: "Zgłosiły się {n} osoby.",
    many: "Zgłosiło się {n} osób.",
    other: "Zgłosiło się {n} osoby.",
  },
  randomPlace:
    "Każdy, kto zgłosi się do tego czasu, dostanie losowe miejsce. Gdy przedsionek jest już otwarty, wcześniejsze przyjście nic nie daje.",
  sealed: "Losowanie zostało zapieczętowane, zanim ktokolwiek się zgłosił ({commitment}).",
  beaconRule:
    "Potrzebna jest do niego także publiczna liczba losowa, która powstaje dopiero po rozpoczęciu, więc nikt nie może wcześniej znać kolejności.",
  beaconNone: "Nie używa ono publicznej liczby losowej: kto prowadzi tę poczekalnię, mógł wcześniej znać kolejność.",
  calendar: "Dodaj do kalendarza",
  calendarTurn: "{title}: Twoja kolej, najwcześniej",
  howDrawn: "Jak działa losowanie",
  checkDraw: "Jak wylosowano Twoje miejsce",
  placeTitle: "Twoje miejsce",
  placeNotes: [
    "Twoje miejsce jest przechowywane w tej przeglądarce; przepadnie, jeśli usuniesz pliki cookie lub zamkniesz okno prywatne.",
    "Jeśli zamkniesz tę stronę, zachowasz miejsce. Jeśli nie będzie Cię, gdy przyjdzie Twoja kolej, masz co najmniej 10 minut, aby wrócić i wejść wśród następnych.",
    "Wpuszczenie nie oznacza, że to, czego szukasz, jest nadal dostępne.",
  ],
  reference: "Kod referencyjny dla pomocy: {code}",
  rejoin: "Jeśli dołączysz ponownie, zaczniesz na końcu kolejki.",
  rejoinLobby: "Początek dopiero nastąpi: jeśli dołączysz ponownie, weźmiesz udział jak każdy, kto przychodzi teraz.",
  leave: "Opuść kolejkę",
  leaveConsequence: "Twoje miejsce przejdzie na następną osobę. Jeśli wrócisz później, zaczniesz na końcu kolejki.",
  leaveLobby:
    "Twoje zgłoszenie nadal będzie liczone, ale nikt nie wykorzysta jego miejsca. Jeśli wrócisz przed początkiem, dostaniesz nowe zgłoszenie.",
  leaveConfirm: "Tak, rezygnuję z miejsca",
  enter: "Wejdź teraz",
  join: "Dołącz ponownie",
  stay: "Zostań tutaj",
  copyLink: "Kopiuj link",
  copied: "Skopiowano",
  continueHere: "Kontynuuj tutaj",
  tryAgain: "Spróbuj ponownie",
  logIn: "Zaloguj się",
  invitation: "Twoje zaproszenie: link lub długi kod, który zawiera",
  useInvitation: "Użyj tego zaproszenia",
  check: "Sprawdź teraz",
  language: "Język",
  updated: "Ostatnia aktualizacja {time}",
  updatesItself: "Ta strona aktualizuje się sama.",
  pauseUpdates: "Wstrzymaj aktualizacje",
  showUpdates: "Wznów aktualizacje",
  updatesPaused: "Aktualizacje są wstrzymane. Zachowujesz swoje miejsce, a ta strona nadal powiadomi, gdy przyjdzie Twoja kolej.",
  reloadsItself: "Ta strona wczytuje się ponownie co pewien czas: {time}.",
  reloadsStop: "Zatrzymaj ponowne wczytywanie",
  reloadsOff: "Ta strona nie aktualizuje się sama.",
  reloadsStart: "Aktualizuj automatycznie",
  enteringIn: "Serwis otworzy się. Pozostało: {time}",
  entering: "Otwieranie serwisu…",
  yourTurn: "Przyszła Twoja kolej. Serwis otworzy się za kilka sekund; możesz też nacisnąć „Wejdź teraz”.",
  yourTurnForm: "Przyszła Twoja kolej. Możesz teraz wysłać swój formularz.",
  stayOn: "Zostań na tej stronie",
  staying: "Przyszła Twoja kolej. Ta strona nie wejdzie już sama.",
  turnEnds: "Czas na wejście: {time}",
  moreTime: "Potrzebuję więcej czasu",
  alerts: {
    me: "Powiadom mnie, gdy przyjdzie moja kolej",
    sound: "Odtwórz dźwięk",
    vibrate: "Wibruj",
    notification: "Pokaż powiadomienie",
    screen: "Nie wygaszaj ekranu",
    refused: "Przeglądarka na to nie pozwala.",
  },
  offline: "Nie masz połączenia z internetem. Ta strona wznowi działanie, gdy połączenie wróci.",
  offlineTab: "Offline",
  noAnswer: "Chwilowo brak odpowiedzi. Ta strona próbuje dalej.",
  placeKept: "Zachowujesz swoje miejsce.",
  backAgain: "Połączenie wróciło.",
  proof: {
    progress: "Postęp sprawdzania",
    working: "Twoje urządzenie coś oblicza. To potrwa kilka sekund, rzadko minutę lub dwie; nie musisz nic robić.",
    done: "Wykonano {percent} sprawdzenia.",
    shown: "Sprawdzenie jest zakończone.",
    again: "To, co pokazała Twoja przeglądarka, już się nie liczy, dlatego sprawdzamy jeszcze raz.",
    unchecked: "Nie możemy teraz przeprowadzić sprawdzenia. Ta strona próbuje dalej; nie musisz nic robić.",
    stop: "Zatrzymaj sprawdzanie",
    start: "Rozpocznij sprawdzanie",
    stopped: "Sprawdzanie jest zatrzymane. Ta strona nadal co jakiś czas próbuje uzyskać dla Ciebie miejsce bez niego.",
    failed:
      "Ta przeglądarka nie może przeprowadzić sprawdzenia. Ta strona nadal co jakiś czas próbuje uzyskać dla Ciebie miejsce bez niego.",
    widget: "To sprawdzenie przeprowadza Cloudflare Turnstile.",
    widgetFailed:
      "Nie udało się wczytać sprawdzenia z challenges.cloudflare.com. Jeśli coś blokuje ten adres, zezwól na niego i zacznij od nowa.",
    noScripts:
      "Sprawdzenie wymaga JavaScriptu. Zezwól na niego w tym serwisie albo zostaw tę stronę otwartą: co jakiś czas próbuje ona uzyskać dla Ciebie miejsce bez niego.",
  },
  formLost:
    "To, co zostało wysłane, nie dotarło do serwisu. Gdy wejdziesz, ta strona otworzy się bez tych danych; prosimy wysłać je stamtąd ponownie.",
  formKept:
    "To, co zostało wysłane, nie dotarło do serwisu. Prosimy nie zamykać tej strony: gdy wejdziesz, można będzie wysłać to stąd ponownie.",
  formSend: "Wyślij ponownie",
  formFirst: "Aby wejść, otwórz tę stronę w nowej karcie. Gdy serwis się tam otworzy, wróć tutaj i wyślij ponownie.",
  formOpen: "Otwórz tę stronę w nowej karcie",
  sentence: "{text}.",
};
