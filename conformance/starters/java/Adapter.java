import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An adapter to begin with: it speaks the protocol, and skips every question. Put your game behind it.
 *
 * <pre>
 * java Adapter.java --check                  a self-check, without anything else
 * biriba conform --smoke -- java Adapter.java
 * biriba conform -- java Adapter.java
 * </pre>
 */
public final class Adapter {
    static Map<String, Object> implementation() {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("name", "my-biriba");
        told.put("version", "0.1");
        told.put("language", "Java");
        // Take away the levels that your game cannot do: they are then reported as not covered.
        told.put("levels", List.of("melds", "scoring", "actions", "legal", "games", "views", "match"));
        told.put("rulesets", List.of(Map.of("name", "biriba")));
        told.put("texts", false); // true: actions without a JSON form are asked too
        told.put("reasons", false); // true: your reasons for a rejection are ids of clauses
        told.put("omits", List.of()); // zones and states that your game does not have
        return told;
    }

    /**
     * The questions of one message {@code run}. Each case begins anew.
     *
     * @param given a position, a deck with actions, the totals of a match, or nothing
     */
    record Case(Json given) {
        Map<String, Object> answer(Json question) {
            if (question.has("act")) { // play it if it is legal
                return Map.of("skipped", "act"); // {"legal": true} or {"legal": false}
            }
            if (question.has("judge")) { // the same, but do not play it
                return Map.of("skipped", "judge");
            }
            if (question.has("meld")) {
                return Map.of("skipped", "meld"); // {"lawful": true, "clean": true, ...} or {"lawful": false}
            }
            if (question.has("layouts")) {
                return Map.of("skipped", "layouts"); // {"melds": [{"template": "run", "key": "H", ...}]}
            }
            if (question.has("value")) {
                return Map.of("skipped", "value"); // {"value": 75}
            }
            if (question.has("tell")) {
                return Map.of("skipped", String.join(", ", question.get("tell").names())); // {"position": {...}}
            }
            return Map.of("skipped", "not known");
        }
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
            Case run = new Case(message.get("case").get("given"));
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

    /** What the harness would send, without the harness. */
    static void check() {
        String run = "{\"cmd\":\"run\",\"seq\":2,\"case\":{\"questions\":[{\"value\":[\"9H\"]},{\"layouts\":[\"9H\",\"9S\",\"9D\"]}]}}";
        System.out.println(Json.write(reply(Json.read("{\"cmd\":\"start\",\"seq\":1,\"protocol\":1}"))));
        Map<String, Object> answer = reply(Json.read(run));
        System.out.println(Json.write(answer));
        if (!(answer.get("answers") instanceof List<?> list) || list.size() != 2) {
            throw new AssertionError("there must be one answer for each question");
        }
        System.out.println("the self-check has passed");
    }

    public static void main(String[] args) throws IOException {
        if (List.of(args).contains("--check")) {
            check();
            return;
        }
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

    // JSON
}
