// verdict: safe
// proof: not yet
// Buckets grow with the elements; texts have hashes.
#include <string>
#include <unordered_map>
#include <unordered_set>
extern "C" { [[noreturn]] void reach_error(); int __VERIFIER_nondet_int(); bool __VERIFIER_nondet_bool(); unsigned __VERIFIER_nondet_uint(); }
int main() {
    std::unordered_set<unsigned> set;
    for (unsigned i = 0; i < 14; i++)
        set.insert(i * 13);
    if (set.size() != 14 || set.bucket_count() != 29 || !set.count(26) || set.count(27)) reach_error();
    set.erase(26);
    if (set.size() != 13 || set.count(26)) reach_error();
    std::unordered_map<std::string, int> words;
    words["one"] = 1;
    words["a text that is longer than the others"] = 2;
    words["one"]++;
    if (words.size() != 2 || words.at("one") != 2) reach_error();
}
