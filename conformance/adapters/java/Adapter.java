import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The melds and the scoring of Biriba in one file of plain Java, and an adapter for them: an example that shares
 * no code with the reference.
 *
 * <pre>biriba conform -- java Adapter.java</pre>
 *
 * The game is in {@link Meld} and {@link Score}; {@link Case} connects it to the protocol, {@link Json} reads and writes.
 */
public final class Adapter {
    static final List<String> SUITS = List.of("H", "S", "D", "C");
    static final List<String> RANKS = List.of("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K");
    static final List<String> PACK = pack();
    static final Map<String, List<String>> SIDES = new LinkedHashMap<>();

    static {
        SIDES.put("X", List.of("A", "C"));
        SIDES.put("Y", List.of("B", "D"));
    }

    private static List<String> pack() {
        List<String> pack = new ArrayList<>();
        for (String suit : SUITS) {
            for (String rank : RANKS) {
                pack.add(rank + suit);
            }
        }
        pack.add("JK");
        return pack;
    }

    static boolean isWild(String card) {
        return card.equals("JK") || card.startsWith("2");
    }

    static int copies(String card) {
        return card.equals("JK") ? 4 : 2;
    }

    static int value(String card) {
        if (card.equals("JK")) {
            return 20;
        }
        if (card.startsWith("A")) {
            return 15;
        }
        return "34567".indexOf(card.charAt(0)) >= 0 ? 5 : 10;
    }

    static int value(List<String> cards) {
        return cards.stream().mapToInt(Adapter::value).sum();
    }

    /** The card of a suit that belongs to a place of a run, from 1 (the low ace) to 14 (the high ace). */
    static String at(int place, String suit) {
        return RANKS.get((place - 1) % 13) + suit;
    }

    /** A run (key: its suit, low: the place of its first card) or a set (key: its rank, low: 0). */
    record Meld(String template, String key, int low, List<String> cards) {
        boolean isRun() {
            return "run".equals(template);
        }

        boolean isNatural(int index) {
            String card = cards.get(index);
            return isRun() ? card.equals(at(low + index, key)) : !card.equals("JK") && card.startsWith(key);
        }

        int substitutes() {
            int count = 0;
            for (int i = 0; i < cards.size(); i++) {
                count += isNatural(i) ? 0 : 1;
            }
            return count;
        }

        boolean isClean() {
            return substitutes() == 0;
        }

        boolean isBiriba() {
            return cards.size() >= 7;
        }

        boolean isLawful() {
            int size = cards.size();
            if (!isRun() && !"set".equals(template)) {
                return false;
            }
            if (size < 3 || (isRun() && (size > 13 || low < 1 || low + size - 1 > 14)) || (!isRun() && key.equals("2"))) {
                return false;
            }
            for (int i = 0; i < size; i++) {
                String card = cards.get(i);
                if ((!isNatural(i) && !isWild(card)) || Collections.frequency(cards, card) > copies(card)) {
                    return false;
                }
            }
            return substitutes() <= 1;
        }

        int bonus() {
            if (!isBiriba()) {
                return 0;
            }
            if (!isRun()) {
                return isClean() ? 300 : 150;
            }
            if (cards.size() == 13) {
                return isClean() ? 1000 : 500;
            }
            return isClean() ? 200 : 100;
        }

        /** All lawful melds of just these cards, in whatever order they come. */
        static List<Meld> layouts(List<String> cards) {
            List<Meld> found = new ArrayList<>();
            for (String rank : RANKS) {
                found.add(set(rank, cards));
            }
            for (String suit : SUITS) {
                for (int low = 1; low + cards.size() - 1 <= 14; low++) {
                    Meld run = run(suit, low, cards);
                    if (run != null) {
                        found.add(run);
                    }
                }
            }
            found.removeIf(meld -> !meld.isLawful());
            return found;
        }

        /** A set has its natural cards first, all in the order of the pack. */
        private static Meld set(String rank, List<String> cards) {
            List<String> sorted = new ArrayList<>(cards);
            Comparator<String> natural = Comparator.comparing(card -> card.equals("JK") || !card.startsWith(rank));
            sorted.sort(natural.thenComparing(PACK::indexOf));
            return new Meld("set", rank, 0, sorted);
        }

        /** The run of these cards from a place upward, null if more than one would have to stand for another. */
        private static Meld run(String suit, int low, List<String> cards) {
            List<String> left = new ArrayList<>(cards);
            List<String> laid = new ArrayList<>();
            for (int i = 0; i < cards.size(); i++) {
                String card = at(low + i, suit);
                laid.add(left.remove(card) ? card : null);
            }
            if (left.size() > 1) {
                return null;
            }
            laid.replaceAll(card -> card == null ? left.get(0) : card);
            return new Meld("run", suit, low, laid);
        }
    }

    /** The score sheet of a side for a position. */
    static final class Score {
        static Map<String, Object> lines(Json position, String side) {
            int melded = 0;
            int runs = 0;
            int sets = 0;
            int full = 0;
            for (Json told : position.get("zones").get("melds").get(side).items()) {
                Meld meld = Case.readMeld(told);
                melded += value(meld.cards());
                if (!meld.isRun()) {
                    sets += meld.bonus();
                } else if (meld.cards().size() == 13) {
                    full += meld.bonus();
                } else {
                    runs += meld.bonus();
                }
            }
            Json states = position.get("states");
            int inHand = 0;
            int idle = 0;
            for (String seat : SIDES.get(side)) {
                if (states.get("idle").get(seat).isTrue()) {
                    idle++;
                } else {
                    inHand += value(position.get("zones").get("hand").get(seat).strings());
                }
            }
            Map<String, Object> lines = new LinkedHashMap<>();
            lines.put("melded cards", melded);
            lines.put("cards in hand", -inHand);
            lines.put("run biriba", runs);
            lines.put("set biriba", sets);
            lines.put("full run", full);
            lines.put("closing", side.equals(states.get("closer").value()) ? 100 : 0);
            lines.put("no packet", states.get("taken").get(side).isTrue() ? 0 : -100);
            lines.put("idle packet", -100 * idle);
            return lines;
        }

        static int total(Json position, String side) {
            return lines(position, side).values().stream().mapToInt(points -> (Integer) points).sum();
        }
    }

    /** The questions of one message {@code run}. */
    record Case(Json position) {
        static Meld readMeld(Json told) {
            Object low = told.get("low").value();
            return new Meld(
                    (String) told.get("template").value(),
                    (String) told.get("key").value(),
                    low == null ? 0 : ((Number) low).intValue(),
                    told.get("cards").strings());
        }

        static Map<String, Object> tellMeld(Meld meld) {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("template", meld.template());
            told.put("key", meld.key());
            told.put("low", meld.isRun() ? meld.low() : null);
            told.put("cards", meld.cards());
            return told;
        }

        Map<String, Object> answer(Json question) {
            if (question.has("meld")) {
                return judge(readMeld(question.get("meld").get("json")), question.get("tell").strings());
            }
            if (question.has("layouts")) {
                return Map.of("melds", Meld.layouts(question.get("layouts").strings()).stream().map(Case::tellMeld).toList());
            }
            if (question.has("value")) {
                return Map.of("value", value(question.get("value").strings()));
            }
            if (question.has("tell") && position.value() != null) {
                return tell(question.get("tell"));
            }
            return Map.of("skipped", "only melds and scores are known here");
        }

        static Map<String, Object> judge(Meld meld, List<String> names) {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("lawful", meld.isLawful());
            for (String name : meld.isLawful() ? names : List.<String>of()) {
                switch (name) {
                    case "value" -> told.put(name, value(meld.cards()));
                    case "bonus" -> told.put(name, meld.bonus());
                    case "points" -> told.put(name, value(meld.cards()) + meld.bonus());
                    case "clean" -> told.put(name, meld.isClean());
                    case "biriba" -> told.put(name, meld.isBiriba());
                    default -> { }
                }
            }
            return told;
        }

        Map<String, Object> tell(Json wanted) {
            Map<String, Object> told = new LinkedHashMap<>();
            for (String name : wanted.names()) {
                Map<String, Object> found = new LinkedHashMap<>();
                switch (name) {
                    case "position" -> told.put(name, position.value());
                    case "score" -> SIDES.keySet().forEach(side -> found.put(side, Score.total(position, side)));
                    case "lines" -> SIDES.keySet().forEach(side -> found.put(side, Score.lines(position, side)));
                    case "melds" -> {
                        for (String meld : wanted.get(name).names()) {
                            List<Json> melds = position.get("zones").get("melds").get(meld.substring(0, 1)).items();
                            Json laid = melds.get(Integer.parseInt(meld.substring(1)) - 1);
                            found.put(meld, judge(readMeld(laid), wanted.get(name).get(meld).strings()));
                        }
                    }
                    default -> {
                        return Map.of("skipped", "'" + name + "' is not known here");
                    }
                }
                told.putIfAbsent(name, found);
            }
            return told;
        }
    }

    static Map<String, Object> implementation() {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("name", "small-biriba-java");
        told.put("version", "1.0");
        told.put("language", "Java");
        told.put("levels", List.of("melds", "scoring"));
        told.put("rulesets", List.of(Map.of("name", "biriba")));
        told.put("texts", false);
        told.put("reasons", false);
        return told;
    }

    static Map<String, Object> reply(Json message) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("seq", message.get("seq").value());
        if ("start".equals(message.get("cmd").value())) {
            reply.put("protocol", 1);
            reply.put("implementation", implementation());
            return reply;
        }
        try {
            Case run = new Case(message.get("case").get("given").get("position"));
            List<Object> answers = new ArrayList<>();
            for (Json question : message.get("case").get("questions").items()) {
                answers.add(run.answer(question));
            }
            reply.put("answers", answers);
        } catch (RuntimeException error) {
            reply.put("errored", error.toString());
            reply.put("context", Map.of("at", Arrays.toString(error.getStackTrace())));
        }
        return reply;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Json message = Json.read(line);
            if ("stop".equals(message.get("cmd").value())) {
                return;
            }
            out.print(Json.write(reply(message)) + "\n");
            out.flush();
        }
    }

    /** A JSON value: a Map, List, String, Number or Boolean, or null; what is missing is null too. */
    record Json(Object value) {
        Json get(String name) {
            return new Json(value instanceof Map<?, ?> map ? map.get(name) : null);
        }

        boolean has(String name) {
            return value instanceof Map<?, ?> map && map.containsKey(name);
        }

        boolean isTrue() {
            return Boolean.TRUE.equals(value);
        }

        List<String> names() {
            return ((Map<?, ?>) value).keySet().stream().map(String.class::cast).toList();
        }

        List<Json> items() {
            return ((List<?>) value).stream().map(item -> new Json(item)).toList();
        }

        List<String> strings() {
            return ((List<?>) value).stream().map(String.class::cast).toList();
        }

        static Json read(String text) {
            return new Json(new Reader(text).value());
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                List<String> members = new ArrayList<>();
                map.forEach((name, of) -> members.add(write(name) + ":" + write(of)));
                return "{" + String.join(",", members) + "}";
            }
            if (value instanceof List<?> list) {
                return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
            }
            if (value instanceof String string) {
                StringBuilder quoted = new StringBuilder("\"");
                for (char c : string.toCharArray()) {
                    if (c == '"' || c == '\\') {
                        quoted.append('\\').append(c);
                    } else if (c < ' ') {
                        quoted.append(String.format("\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
                return quoted.append('"').toString();
            }
            return String.valueOf(value);
        }

        private static final class Reader {
            private final String text;
            private int at;

            Reader(String text) {
                this.text = text;
            }

            Object value() {
                switch (next()) {
                    case '{' -> {
                        Map<String, Object> map = new LinkedHashMap<>();
                        for (at++; next() != '}'; skip(',')) {
                            String name = string();
                            next();
                            skip(':');
                            map.put(name, value());
                        }
                        at++;
                        return map;
                    }
                    case '[' -> {
                        List<Object> list = new ArrayList<>();
                        for (at++; next() != ']'; skip(',')) {
                            list.add(value());
                        }
                        at++;
                        return list;
                    }
                    case '"' -> {
                        return string();
                    }
                    default -> {
                        return word();
                    }
                }
            }

            private char next() {
                while (Character.isWhitespace(text.charAt(at))) {
                    at++;
                }
                return text.charAt(at);
            }

            private void skip(char expected) {
                if (next() == expected) {
                    at++;
                }
            }

            private String string() {
                StringBuilder read = new StringBuilder();
                next();
                for (at++; text.charAt(at) != '"'; at++) {
                    char c = text.charAt(at);
                    if (c == '\\') {
                        c = text.charAt(++at);
                        if (c == 'u') {
                            c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                            at += 4;
                        } else if ("bfnrt".indexOf(c) >= 0) {
                            c = "\b\f\n\r\t".charAt("bfnrt".indexOf(c));
                        }
                    }
                    read.append(c);
                }
                at++;
                return read.toString();
            }

            private Object word() {
                int start = at;
                while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) {
                    at++;
                }
                String word = text.substring(start, at);
                return switch (word) {
                    case "true" -> Boolean.TRUE;
                    case "false" -> Boolean.FALSE;
                    case "null" -> null;
                    default -> Integer.valueOf(word);
                };
            }
        }
    }
}
