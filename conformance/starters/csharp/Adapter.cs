// An adapter to begin with: it speaks the protocol, and skips every question. Put your game behind it.
//
//     dotnet build -o bin
//     bin/Adapter --check                       a self-check, without anything else
//     biriba conform --smoke -- bin/Adapter
//     biriba conform -- bin/Adapter
using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json.Nodes;

public static class Adapter
{
    static JsonObject Implementation() => new()
    {
        ["name"] = "my-biriba",
        ["version"] = "0.1",
        ["language"] = "C#",
        ["homepage"] = "",
        // Take away the levels that your game cannot do: they are then reported as not covered.
        ["levels"] = new JsonArray("melds", "scoring", "actions", "legal", "games", "views", "match"),
        ["rulesets"] = new JsonArray(new JsonObject { ["name"] = "biriba" }),
        ["texts"] = false, // true: actions without a JSON form are asked too
        ["reasons"] = false, // true: your reasons for a rejection are ids of clauses
        ["omits"] = new JsonArray(), // zones and states that your game does not have
    };

    /// <summary>The questions of one message <c>run</c>. Each case begins anew.</summary>
    /// <param name="Given">A position, a deck with actions, the totals of a match, or nothing.</param>
    sealed record Case(JsonNode? Given)
    {
        public JsonObject Answer(JsonObject question)
        {
            if (question.ContainsKey("act")) return Skipped("act"); // play it: {"legal": true} or {"legal": false}
            if (question.ContainsKey("judge")) return Skipped("judge"); // the same, but do not play it
            if (question.ContainsKey("meld")) return Skipped("meld"); // {"lawful": true, "clean": true, ...}
            if (question.ContainsKey("layouts")) return Skipped("layouts"); // {"melds": [{"template": "run", ...}]}
            if (question.ContainsKey("value")) return Skipped("value"); // {"value": 75}
            if (question["tell"] is JsonObject told) // {"position": {...}, "score": {...}}
            {
                return Skipped(string.Join(", ", told.Select(member => member.Key)));
            }
            return Skipped("not known");
        }

        static JsonObject Skipped(string why) => new() { ["skipped"] = why };
    }

    static JsonObject Reply(JsonNode message)
    {
        var reply = new JsonObject { ["seq"] = message["seq"]?.DeepClone() };
        if ((string?)message["cmd"] == "start")
        {
            reply["protocol"] = 1;
            reply["implementation"] = Implementation();
            return reply;
        }
        try
        {
            var asked = message["case"]!;
            var run = new Case(asked["given"]);
            var answers = asked["questions"]!.AsArray().Select(question => (JsonNode)run.Answer(question!.AsObject()));
            reply["answers"] = new JsonArray(answers.ToArray());
        }
        catch (Exception error)
        {
            reply["errored"] = error.Message;
            reply["context"] = new JsonObject { ["stack"] = error.StackTrace };
        }
        return reply;
    }

    /// <summary>What the harness would send, without the harness.</summary>
    static int Check()
    {
        const string run = """
            {"cmd": "run", "seq": 2, "case": {"questions": [{"value": ["9H"]}, {"layouts": ["9H", "9S", "9D"]}]}}
            """;
        Console.WriteLine(Reply(JsonNode.Parse("""{"cmd": "start", "seq": 1, "protocol": 1}""")!).ToJsonString());
        var ran = Reply(JsonNode.Parse(run)!);
        Console.WriteLine(ran.ToJsonString());
        if (ran["answers"] is not JsonArray { Count: 2 })
        {
            Console.Error.WriteLine("there must be one answer for each question");
            return 1;
        }
        Console.WriteLine("the self-check has passed");
        return 0;
    }

    public static int Main(string[] args)
    {
        if (args.Contains("--check")) return Check();
        var utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
        using var input = new StreamReader(Console.OpenStandardInput(), utf8);
        using var output = new StreamWriter(Console.OpenStandardOutput(), utf8) { AutoFlush = true, NewLine = "\n" };
        while (input.ReadLine() is { } line)
        {
            var message = JsonNode.Parse(line)!;
            if ((string?)message["cmd"] == "stop") break;
            output.WriteLine(Reply(message).ToJsonString());
        }
        return 0;
    }
}
